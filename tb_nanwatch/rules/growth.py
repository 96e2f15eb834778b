"""Rule `growth`: a magnitude rises so steadily that its type overflows before long.

The trend is the Theil-Sen slope of the binary logarithm of the rms, over 3 to 8 samples. A batch of
outliers throws losses and gradients up for one step and is no trend; what tells a runaway apart is that
every step adds its part, or that activations leap while the inputs stay as they are.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.severity import Severity, Status
from tb_nanwatch.model.site import Site
from tb_nanwatch.model.statistic import ABS_MAX, RMS
from tb_nanwatch.model.threshold import Threshold
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.rule import Explanation, Finding, Numbers, Rule
from tb_nanwatch.stats.trend import log2_magnitude, theil_sen_slope

_LONGEST = 8
_ROBUST = 6
_TOLD_FIRST = {Kind.OUTPUT: 0, Kind.GRADIENT: 1, Kind.WEIGHT: 2, Kind.PENALTY: 3, Kind.LOSS: 4}

_THRESHOLDS = (
    Threshold(
        "horizon",
        40,
        "steps",
        "Told when the trend reaches the largest number of the site's type within so many steps.",
        "measured on public failures: those that blow up do so within 5 to 60 steps of their onset",
        minimum=1,
    ),
    Threshold(
        "rise",
        3,
        "bits",
        "Told only of a magnitude that has grown by so many powers of two in the samples looked at.",
        "three doublings in a row; keeps a site near the edge of float16 from being told for its noise",
    ),
    Threshold(
        "leap",
        10,
        "bits",
        "Told at once when an activation grows by so many powers of two from one sample to the next.",
        "batches of outliers that recover were seen to move losses and gradients a thousandfold, but not activations",
        minimum=1,
    ),
    Threshold(
        "samples",
        3,
        "samples",
        "Fewest samples that make a trend of activations; gradients, weights and loss need one more.",
        "most public failures are over within 20 steps, so a trend has to be seen in three points",
        minimum=3,
    ),
)


@dataclasses.dataclass(frozen=True)
class _Watched:
    """Sites whose growth means something: biases, scales and moving statistics start at zero and may grow at will."""

    sites: npt.NDArray[np.int64]
    ceiling: npt.NDArray[np.float64]
    activation: npt.NDArray[np.bool_]

    @classmethod
    def among(cls, sites: Sequence[Site]) -> _Watched:
        chosen = [
            index
            for index, site in enumerate(sites)
            if site.kind in (Kind.OUTPUT, Kind.LOSS, Kind.PENALTY)
            or (site.kind in (Kind.GRADIENT, Kind.WEIGHT) and len(site.shape) > 1)
        ]
        return cls(
            sites=np.array(chosen, dtype=np.int64),
            ceiling=np.array([sites[index].log2_max for index in chosen]),
            activation=np.array([sites[index].kind is Kind.OUTPUT for index in chosen], dtype=np.bool_),
        )


def _judge(history: History, numbers: Numbers) -> list[Finding]:
    if "growth" not in history.memo:
        history.memo["growth"] = _Watched.among(history.sites)
    watched: _Watched = history.memo["growth"]
    if len(history.steps) < 2 or not watched.sites.size:
        return []
    steps = history.steps[-_LONGEST:]
    every_bit = log2_magnitude(history.values[-_LONGEST:, watched.sites, RMS])
    with np.errstate(invalid="ignore"):
        # Whatever is told has risen so far within the window; that leaves next to nothing to look at in most samples.
        risen = every_bit[-1] - np.fmin.reduce(every_bit, axis=0) >= min(numbers["rise"], numbers["leap"])
    columns = np.flatnonzero(risen & np.isfinite(watched.ceiling))
    if not columns.size:
        return []
    sites, bits, activation = watched.sites[columns], every_bit[:, columns], watched.activation[columns]
    peak = log2_magnitude(history.values[-1, sites, ABS_MAX])
    headroom = np.maximum(watched.ceiling[columns] - peak, 0.0)
    found: dict[int, Finding] = {}

    def add(holds: npt.NDArray[np.bool_], slope: npt.NDArray[np.float64], onset: int) -> None:
        for column in np.flatnonzero(holds & np.isfinite(headroom)):
            site = int(sites[column])
            found[site] = Finding(
                site=site,
                statistic="rms",
                value=float(history.values[-1, site, RMS]),
                threshold=numbers["horizon"],
                severity=Severity.WARNING,
                onset=onset,
                forecast=int(steps[-1] + math.ceil(headroom[column] / slope[column])),
            )

    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        newest = (bits[-1] - bits[-2]) / (steps[-1] - steps[-2])
        if not _input_leapt(history, numbers["leap"]):
            add(activation & (bits[-1] - bits[-2] >= numbers["leap"]), newest, int(steps[-2]))
        # From the shortest window up: a young trend is told early, an older one is named from its onset.
        for length in range(int(numbers["samples"]), len(steps) + 1):
            x, window = steps[-length:], bits[-length:]
            slope = theil_sen_slope(x, window)
            rates = np.diff(window, axis=0) / np.diff(x)[:, None]
            if length < _ROBUST:
                # Too short for the median to see through a spike: each step has to carry its part of the rise.
                steady = np.all(rates >= slope / 3, axis=0) & (activation | (length > numbers["samples"]))
            else:
                steady = np.mean(rates > 0, axis=0) >= 0.75
            rises = (window[-1] - window[0] >= numbers["rise"]) & (window[-1] >= np.max(window, axis=0))
            add((slope > 0) & steady & rises & (headroom <= slope * numbers["horizon"]), slope, int(x[0]))
    return sorted(found.values(), key=lambda f: (f.onset, _TOLD_FIRST[history.sites[f.site].kind], f.site))


def _input_leapt(history: History, leap: float) -> bool:
    """Whether the batch itself is of another scale, which explains a leap of the activations."""
    inputs = log2_magnitude(history.values[-2:, history.of_kind(Kind.INPUT), RMS])
    return bool(np.any(inputs[1] - inputs[0] >= leap / 4))


def _explain(history: History, finding: Finding) -> Explanation:
    site = history.sites[finding.site]
    since = history.steps >= (finding.onset or 0)
    bits = log2_magnitude(history.values[since, finding.site, RMS])
    rate = float(theil_sen_slope(history.steps[since], bits[:, None])[0])
    first = float(history.values[since, finding.site, RMS][0])
    return Explanation(
        message=(
            f"{site.label} doubles every {1 / rate:.2g} steps since step {finding.onset} "
            f"(rms {first:.3g} to {finding.value:.3g}); {site.dtype} overflows at about step {finding.forecast}"
        ),
        cause=(
            "The training diverges: each update makes the next one larger. Most often the learning rate is too "
            "high for the scale of the inputs, the weights or the loss."
        ),
        advice=(
            "Lower the learning rate (by 10 as a first try), scale inputs and targets to about unit variance, "
            "clip gradients by `global_clipnorm`, or warm the rate up."
        ),
    )


RULE = Rule(
    id="growth",
    status=Status.DIVERGING,
    summary="The magnitude of activations, gradients, weights or loss grows exponentially towards overflow.",
    thresholds=_THRESHOLDS,
    judge=_judge,
    explain=_explain,
)
