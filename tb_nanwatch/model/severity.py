"""How bad an alert is, and how well a layer is."""

from __future__ import annotations

import enum


class Severity(enum.IntEnum):
    """Severity of an alert; compares in the order of gravity."""

    INFO = 1
    WARNING = 2
    CRITICAL = 3

    @property
    def word(self) -> str:
        """The word that alerts, logs and the page use."""
        return self.name.lower()


class Status(enum.IntEnum):
    """Status of a layer at a sample; compares in the order of gravity."""

    UNKNOWN = 0
    HEALTHY = 1
    WATCH = 2
    DIVERGING = 3
    NONFINITE = 4

    @property
    def word(self) -> str:
        """The word that logs and the page use."""
        return self.name.lower()
