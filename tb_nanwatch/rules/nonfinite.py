"""Rule `nonfinite`: NaN or an infinity in a place that has to be finite. `detect.birthplace` says where it was born."""

from __future__ import annotations

import numpy as np

from tb_nanwatch.model.severity import Severity, Status
from tb_nanwatch.model.statistic import NONFINITE_COUNT
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.rule import Explanation, Finding, Numbers, Rule


def _judge(history: History, numbers: Numbers) -> list[Finding]:
    counts = history.values[-1, :, NONFINITE_COUNT]
    with np.errstate(invalid="ignore"):
        bad = np.flatnonzero(counts > 0)
    step = int(history.steps[-1])
    return [
        Finding(int(i), "nonfinite_count", float(counts[i]), 0.0, Severity.CRITICAL, onset=step)
        for i in bad
        # Under a loss scale an inf in the gradients is by design: the optimizer skips the step.
        if not history.sites[i].scaled
    ]


def _explain(history: History, finding: Finding) -> Explanation:
    site = history.sites[finding.site]
    return Explanation(
        message=f"{site.label} holds {finding.value:.0f} values that are not finite",
        cause="An operation left the range of its type or the domain of its function.",
        advice="Look at the first layer named: its inputs, its weights and the operation that it applies.",
    )


RULE = Rule(
    id="nonfinite",
    status=Status.NONFINITE,
    summary="A NaN or an infinity, named at the place where the first one was born.",
    thresholds=(),
    judge=_judge,
    explain=_explain,
)
