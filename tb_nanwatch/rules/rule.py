"""What a rule is."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.severity import Severity, Status
from tb_nanwatch.model.threshold import Threshold
from tb_nanwatch.rules.history import History

Numbers = Mapping[str, float]
"""A rule's thresholds in force, by name."""

PHASE_OF_KIND = {
    Kind.INPUT: "data",
    Kind.OUTPUT: "forward",
    Kind.OUTPUT_GRADIENT: "backward",
    Kind.WEIGHT: "update",
    Kind.GRADIENT: "backward",
    Kind.LOSS: "loss",
    Kind.PENALTY: "loss",
}
"""The phase of a training step in which a site of a kind takes its value."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """A rule holds for a site at the newest sample.

    Attributes:
        site: Index of the site.
        statistic: Name of the statistic that was judged.
        value: Its value.
        threshold: The number that it crossed.
        severity: How bad it is.
        onset: Step at which the trend began, or None.
        forecast: Step at which the site's type overflows if the trend goes on, or None.
        also: Indices of the other sites that make up this finding, if it spans several.
    """

    site: int
    statistic: str
    value: float
    threshold: float
    severity: Severity
    onset: int | None = None
    forecast: int | None = None
    also: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class Explanation:
    """A finding in words: what happened, the likely cause, what to try."""

    message: str
    cause: str
    advice: str


@dataclasses.dataclass(frozen=True)
class Rule:
    """Turns a history into findings.

    Attributes:
        id: Name in alerts, thresholds and docs.
        status: What it makes of a layer while it holds there.
        summary: What it sees, in one sentence.
        thresholds: Its numbers.
        judge: Gives the findings at the newest sample, the one to name first at the front.
        explain: Puts one finding into words; called only for what is told.
    """

    id: str
    status: Status
    summary: str
    thresholds: tuple[Threshold, ...]
    judge: Callable[[History, Numbers], Sequence[Finding]]
    explain: Callable[[History, Finding], Explanation]
