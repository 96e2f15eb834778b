"""A run in one sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tb_nanwatch.model.alert import Alert
from tb_nanwatch.model.severity import Status


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What to say of a run first.

    Attributes:
        status: The run's status.
        sentence: One sentence; names stand in backticks.
        layer: Layer that it points to, or None.
        step: Step that it points to, or None.
    """

    status: Status
    sentence: str
    layer: str | None = None
    step: int | None = None


def verdict(alerts: Sequence[Alert], last_step: int | None, newest: Status = Status.UNKNOWN) -> Verdict:
    """Sums a run up.

    Args:
        alerts: Its alerts, in the order in which they were given.
        last_step: Its newest step, or None before the first.
        newest: The worst status of any layer at the newest sample.
    """
    if last_step is None:
        return Verdict(Status.UNKNOWN, "nothing recorded yet")
    nonfinite = [alert for alert in alerts if alert.rule == "nonfinite"]
    warned = [alert for alert in alerts if alert.severity == "warning"]
    if nonfinite:
        first = nonfinite[0]
        ahead = [alert for alert in warned if alert.seen < first.step]
        lead = ""
        if ahead:
            steps = first.step - ahead[0].seen
            lead = (
                f"; warned {steps} {'step' if steps == 1 else 'steps'} ahead by {ahead[0].rule} at `{ahead[0].layer}`"
            )
        place = f"{_PLACES[first.phase]} `{first.layer}`"
        sentence = f"non-finite since step {first.step}: the first bad value was born in {place}{lead}"
        return Verdict(Status.NONFINITE, sentence, first.layer, first.step)
    growing = [alert for alert in warned if alert.rule == "growth"]
    if growing and newest >= Status.DIVERGING:
        return Verdict(Status.DIVERGING, f"diverging: {growing[-1].message}", growing[-1].layer, growing[-1].step)
    if warned:
        first = warned[0]
        return Verdict(Status.WATCH, f"watch: {first.message}", first.layer, first.step)
    return Verdict(Status.HEALTHY, f"healthy: nothing to report up to step {last_step}")


_PLACES = {
    "data": "the data, at",
    "forward": "the forward pass of",
    "loss": "the loss, at",
    "backward": "the backward pass of",
    "update": "the optimizer's update of",
}
