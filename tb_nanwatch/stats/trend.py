"""Robust trends of many short series at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def theil_sen_slope(steps: npt.ArrayLike, series: npt.ArrayLike) -> Floats:
    """Median of the slopes between all pairs of points, per series.

    Up to 29 % of the points may lie anywhere without moving the result far, which is what makes a
    single spike harmless.

    Args:
        steps: `[n]`, strictly increasing.
        series: `[n, m]`; NaN where a point is missing.

    Returns:
        float64 `[m]`, in units of the series per step; NaN with fewer than two points.

    References:
        Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63 (1968).
    """
    x = np.asarray(steps, dtype=np.float64)
    y = np.asarray(series, dtype=np.float64)
    first, second = np.triu_indices(len(x), k=1)
    if not len(first):
        return np.full(y.shape[1], np.nan)
    with np.errstate(invalid="ignore", over="ignore"):
        slopes = (y[second] - y[first]) / (x[second] - x[first])[:, None]
    return nan_median(slopes)


def nan_median(values: Floats) -> Floats:
    """Median along axis 0 of the numbers that are not NaN; NaN where there are none, without a warning."""
    ordered = np.sort(values, axis=0)
    count = np.count_nonzero(~np.isnan(values), axis=0)
    upper = np.take_along_axis(ordered, np.minimum(count // 2, len(values) - 1)[None], axis=0)[0]
    lower = np.take_along_axis(ordered, np.maximum((count - 1) // 2, 0)[None], axis=0)[0]
    with np.errstate(invalid="ignore", over="ignore"):
        middle = np.where(lower == upper, lower, lower + (upper - lower) / 2)
    return np.where(count > 0, middle, np.nan)


def log2_magnitude(values: npt.ArrayLike) -> Floats:
    """Binary logarithm of the magnitude; NaN for zero and for what isn't finite."""
    magnitude = np.abs(np.asarray(values, dtype=np.float64))
    usable = np.isfinite(magnitude) & (magnitude > 0)
    return np.where(usable, np.log2(np.where(usable, magnitude, 1.0)), np.nan)
