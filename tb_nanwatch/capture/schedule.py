"""Which steps are measured."""

from __future__ import annotations

import dataclasses

from tb_nanwatch.errors import InvalidArgumentError

_LONGEST_WAIT = 50


@dataclasses.dataclass(frozen=True)
class Schedule:
    """Every step at the start, where most failures happen, then every n-th.

    Beside these, the graph itself measures a step that looks wrong: a loss or gradient that isn't
    finite, or one that jumped (`capture.recorder`).

    Attributes:
        every: Interval in steps after the dense start; at least 1.
        dense: Number of steps at the start of a training that are all measured.
        after_jump: Number of steps after a jump that are all measured.
    """

    every: int = 10
    dense: int = 100
    after_jump: int = 10

    def __post_init__(self) -> None:
        for name in ("every", "dense", "after_jump"):
            value = getattr(self, name)
            smallest = 1 if name == "every" else 0
            if isinstance(value, bool) or not isinstance(value, int) or value < smallest:
                raise InvalidArgumentError(
                    f"`{name}` must be a whole number of steps, at least {smallest}. Received: {value!r}"
                )

    @property
    def longest_wait(self) -> int:
        """Most steps between two readings of the device buffer by the host."""
        return min(self.every, _LONGEST_WAIT)
