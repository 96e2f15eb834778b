"""Rule `penalty_share`: regularization takes a share of the loss that its author can't have meant."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.severity import Severity, Status
from tb_nanwatch.model.statistic import MEAN
from tb_nanwatch.model.threshold import Threshold
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.rule import Explanation, Finding, Numbers, Rule

_THRESHOLDS = (
    Threshold(
        "maximum",
        0.9,
        "share of the loss",
        "Told when the penalties together exceed this share, from the start or while they grow.",
        "the share is near 0.5 for a residual net at the usual 1e-4, and above 0.9 only where the factor is off; "
        "late in a training that fits its data well it may exceed 0.9 while it falls, which is left alone",
    ),
    Threshold(
        "minimum",
        1e-7,
        "share of the loss",
        "Told, as information, when a declared penalty stays below this share: it can't have an effect.",
        "the rounding of float32, in which a smaller share is lost when it is added to the loss",
    ),
    Threshold(
        "samples",
        3,
        "samples",
        "Number of samples in a row that have to agree.",
        "a single batch with a tiny loss is no finding",
        minimum=1,
    ),
)


def _judge(history: History, numbers: Numbers) -> list[Finding]:
    penalties, losses = history.of_kind(Kind.PENALTY), history.of_kind(Kind.LOSS)
    wanted = int(numbers["samples"])
    if not penalties.size or not losses.size or len(history.steps) < wanted:
        return []
    amounts = history.values[-wanted:, penalties, MEAN]
    loss = history.values[-wanted:, losses[0], MEAN]
    with np.errstate(invalid="ignore", over="ignore"):
        total = amounts.sum(axis=1)
    # A share of a loss that is negative, or smaller than its own part, says nothing.
    if not (np.isfinite(loss).all() and np.isfinite(total).all() and (loss > 0).all() and (total <= 1.01 * loss).all()):
        return []
    shares = total / loss
    step = int(history.steps[-wanted])
    if (shares > numbers["maximum"]).all():
        from_the_start = history.count == wanted
        grows = history.values[-1, penalties, MEAN].sum() > 1.1 * history.values[0, penalties, MEAN].sum()
        if from_the_start or grows or _told_before(history, numbers, penalties, losses):
            largest = int(penalties[np.argmax(amounts[-1])])
            return [Finding(largest, "mean", float(shares[-1]), numbers["maximum"], Severity.WARNING, onset=step)]
    tiny = np.all(amounts < numbers["minimum"] * loss[:, None], axis=0) & np.all(amounts > 0, axis=0)
    return [
        Finding(
            int(penalties[i]), "mean", float(amounts[-1, i] / loss[-1]), numbers["minimum"], Severity.INFO, onset=step
        )
        for i in np.flatnonzero(tiny)[:1]
    ]


def _told_before(
    history: History, numbers: Numbers, penalties: npt.NDArray[np.int64], losses: npt.NDArray[np.int64]
) -> bool:
    """Whether the share has been too large ever since the window's start, so that the finding goes on."""
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = history.values[:, penalties, MEAN].sum(axis=1) / history.values[:, losses[0], MEAN]
    return len(history.steps) == history.count and bool(np.all(shares > numbers["maximum"]))


def _explain(history: History, finding: Finding) -> Explanation:
    site = history.sites[finding.site]
    variable = f"`{site.layer}/{site.name}`"
    amount = float(history.values[-1, finding.site, MEAN])
    if finding.severity is Severity.INFO:
        return Explanation(
            message=f"the penalty of {variable} is {finding.value:.2g} of the loss: too small to have an effect",
            cause="The regularization factor is tiny beside the scale of the loss.",
            advice="Raise the factor, scale the loss down, or drop the regularizer.",
        )
    return Explanation(
        message=(f"the penalties are {finding.value:.1%} of the loss; the largest is {variable} with {amount:.3g}"),
        cause=(
            "The regularization factor is too large for the loss, so the training mostly shrinks weights, or "
            "overshoots in doing so."
        ),
        advice=(
            f"Divide the factor of {variable} by {max(finding.value / 0.1, 10):.0f} or more: a share of about 10 % at "
            "the start is a common aim."
        ),
    )


RULE = Rule(
    id="penalty_share",
    status=Status.WATCH,
    summary="The regularizers' share of the loss is above or below what makes sense.",
    thresholds=_THRESHOLDS,
    judge=_judge,
    explain=_explain,
)
