"""Keeps the instrument's own failures from the training."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

logger = logging.getLogger("tb_nanwatch")


class Guard:
    """Swallows what goes wrong inside the instrument and says it once for each place.

    Only code of ours runs under a guard, never the user's: an exception of the training passes through.
    """

    def __init__(self) -> None:
        self._said: set[str] = set()

    @contextlib.contextmanager
    def __call__(self, place: str) -> Iterator[None]:
        """Guards a block; `place` says in the user's words what is lost when it fails."""
        try:
            yield
        except Exception as error:
            first_line = str(error).partition("\n")[0][:200]
            self.say(place, f"{type(error).__name__}: {first_line}")
            logger.debug("failed: %s", place, exc_info=True)

    def say(self, place: str, reason: str) -> None:
        """Tells once that `place` is lost; the training goes on."""
        if place not in self._said:
            self._said.add(place)
            logger.warning("nanwatch: %s is not recorded (%s); the training goes on", place, reason)
