"""Names of the statistics, in the order in which they stand in every array of values."""

from __future__ import annotations

from typing import Final

STATISTICS: Final = (
    "rms",
    "norm",
    "mean",
    "std",
    "min",
    "max",
    "abs_max",
    "zero_fraction",
    "nonfinite_count",
)
"""All but the last are over the finite elements only, so that one NaN doesn't hide the rest.
`norm` is the L2 norm; a statistic that was not measured, or has no finite element, is NaN."""

(RMS, NORM, MEAN, STD, MIN, MAX, ABS_MAX, ZERO_FRACTION, NONFINITE_COUNT) = range(len(STATISTICS))
