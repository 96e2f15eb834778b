"""Examples that ship. Each has `train(log_dir, fixed)`, which returns a `Result`."""

from __future__ import annotations

import dataclasses

from tb_nanwatch.model.alert import Alert


@dataclasses.dataclass(frozen=True)
class Result:
    """What came of a demonstration.

    Attributes:
        alerts: What was told, in order.
        steps: Number of steps that were trained.
        summary: How the training itself went, in one sentence.
    """

    alerts: tuple[Alert, ...]
    steps: int
    summary: str
