"""What the user is told."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class Alert:
    """One finding, said once.

    Attributes:
        step: 0-based step at which the measured value arose.
        severity: `info`, `warning` or `critical`.
        rule: Id of the rule.
        layer: Layer path, or `loss`, or `input`.
        phase: `data`, `forward`, `loss`, `backward` or `update`.
        statistic: Name of the statistic that was judged.
        value: Its value.
        threshold: The number that it crossed.
        onset: Step at which the trend behind the alert began, or None.
        forecast: Step at which the site's type overflows if the trend goes on, or None.
        seen: Step that had just ended when the host knew. A lead is counted from here.
        message: What happened, in one sentence with its numbers.
        cause: The likely cause.
        advice: What to try.
        source: The user's file, line and text where an operation is to blame, else None.
    """

    step: int
    severity: str
    rule: str
    layer: str
    phase: str
    statistic: str
    value: float
    threshold: float
    onset: int | None
    forecast: int | None
    seen: int
    message: str
    cause: str
    advice: str
    source: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The alert as a plain dict, in the order of its attributes."""
        return dataclasses.asdict(self)
