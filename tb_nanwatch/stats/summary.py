"""Statistics of one array: the reference that the statistics in the graph are tested against.

The graph reduces a tensor to the seven *raw* numbers below, in float32, and the host derives the
statistics from them in float64. That way a norm beyond float32's range is still a number.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from tb_nanwatch.model.statistic import STATISTICS

RAW: Final = ("finite_count", "nonfinite_count", "zero_count", "mean", "std", "min", "max")
"""Order of the raw numbers of one site. `finite_count` of -1 says that the site was not measured."""


def raw_summary(array: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Reduces one array to its raw numbers.

    Args:
        array: Real numbers of any shape and type; NaN, infinities and no elements at all are fine.

    Returns:
        float64 `[7]`, in the order of `RAW`. Mean, std, min and max are of the finite elements, and
        NaN where there are none; std is the population's (divided by n).
    """
    values: npt.NDArray[np.float64] = np.asarray(array).astype(np.float64).ravel()
    finite = values[np.isfinite(values)]
    counts = [float(finite.size), float(values.size - finite.size), float(np.count_nonzero(finite == 0))]
    if not finite.size:
        return np.array([*counts, np.nan, np.nan, np.nan, np.nan])
    # Scaled by the largest magnitude, as BLAS's nrm2 does, so that no square overflows.
    scale = float(np.abs(finite).max()) or 1.0
    scaled = finite / scale
    mean = float(scaled.mean())
    std = float(np.sqrt(np.mean((scaled - mean) ** 2)))
    return np.array([*counts, mean * scale, std * scale, float(finite.min()), float(finite.max())])


def statistics_from_raw(raw: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Derives all statistics from raw numbers.

    Args:
        raw: `[..., 7]`, in the order of `RAW`.

    Returns:
        float64 `[..., statistics]`, in the order of `STATISTICS`; all NaN where `finite_count` is
        negative, and all NaN but `nonfinite_count` where there is no finite element.
    """
    numbers = np.asarray(raw, dtype=np.float64)
    count, nonfinite, zeros, mean, std, low, high = np.moveaxis(numbers, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        rms = np.hypot(mean, std)
        norm = rms * np.sqrt(np.maximum(count, 0.0))
        abs_max = np.maximum(np.abs(low), np.abs(high))
        # The rms can't exceed the largest magnitude; rounding in float32 would let it.
        rms = np.minimum(rms, abs_max)
        values = np.stack([rms, norm, mean, std, low, high, abs_max, zeros / count, nonfinite], axis=-1)
    values[count == 0, :-1] = np.nan
    values[~(count >= 0)] = np.nan
    assert values.shape[-1] == len(STATISTICS)
    return np.asarray(values, dtype=np.float64)
