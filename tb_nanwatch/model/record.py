"""All statistics of all sites at one step."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclasses.dataclass(frozen=True)
class Record:
    """A sample.

    Attributes:
        step: 0-based optimizer step that was measured.
        values: float64 `[sites, statistics]`, in the order of the sites and of
            `model.statistic.STATISTICS`; NaN where nothing was measured.
    """

    step: int
    values: npt.NDArray[np.float64]
