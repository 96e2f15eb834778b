"""What rules judge: the last samples of every site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.record import Record
from tb_nanwatch.model.site import Site
from tb_nanwatch.model.statistic import STATISTICS

WINDOW: Final = 64
"""Most samples that a rule can look back on."""


class History:
    """A sliding window over the samples of one training.

    Attributes:
        sites: The sites, in forward order.
        count: Number of samples ever taken in, not only those still in the window.
        memo: For rules to keep what depends on the sites alone, by the rule's id.
    """

    def __init__(self, sites: Sequence[Site]) -> None:
        self.sites = tuple(sites)
        self.count = 0
        self.memo: dict[str, Any] = {}
        # Twice the window: the older half is dropped at once, so that a view serves at every step.
        self._values = np.empty((2 * WINDOW, len(self.sites), len(STATISTICS)))
        self._steps = np.empty(2 * WINDOW, dtype=np.int64)
        self._end = 0
        self._of_kind = {
            kind: np.array([i for i, site in enumerate(self.sites) if site.kind is kind], dtype=np.int64)
            for kind in Kind
        }

    def add(self, record: Record) -> None:
        """Takes in the next sample; its step must be greater than the last one's."""
        if self._end == len(self._steps):
            self._values[:WINDOW] = self._values[-WINDOW:]
            self._steps[:WINDOW] = self._steps[-WINDOW:]
            self._end = WINDOW
        self._values[self._end] = record.values
        self._steps[self._end] = record.step
        self._end += 1
        self.count += 1

    @property
    def steps(self) -> npt.NDArray[np.int64]:
        """int64 `[samples]`: steps in the window, the newest last."""
        return self._steps[max(self._end - WINDOW, 0) : self._end]

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """float64 `[samples, sites, statistics]`: the window, the newest last."""
        return self._values[max(self._end - WINDOW, 0) : self._end]

    def of_kind(self, kind: Kind) -> npt.NDArray[np.int64]:
        """Indices of the sites of one kind, in forward order."""
        return self._of_kind[kind]
