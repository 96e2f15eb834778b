"""What a site measures."""

from __future__ import annotations

import enum


class Kind(enum.Enum):
    """The kind of a site. Values are the words used in logs, routes and on the page."""

    INPUT = "input"
    OUTPUT = "output"
    OUTPUT_GRADIENT = "output_gradient"
    WEIGHT = "weight"
    GRADIENT = "gradient"
    LOSS = "loss"
    PENALTY = "penalty"
