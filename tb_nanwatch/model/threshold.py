"""A rule's number."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Threshold:
    """One number that a rule judges by.

    Attributes:
        name: Its name within the rule (`horizon`).
        default: Its default.
        unit: What it counts (`steps`, `bits`, `share of the loss`).
        meaning: What happens on either side of it, in one sentence.
        source: Paper, tool or measurement that the default comes from.
        minimum: Smallest value that makes sense.
    """

    name: str
    default: float
    unit: str
    meaning: str
    source: str
    minimum: float = 0.0
