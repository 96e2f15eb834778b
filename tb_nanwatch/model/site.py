"""A place that is measured."""

from __future__ import annotations

import dataclasses
import math
from typing import Final

from tb_nanwatch.model.kind import Kind

LOSS_LAYER: Final = "loss"
INPUT_LAYER: Final = "input"

_MAX_EXPONENT: Final = {"float16": 16, "bfloat16": 128, "float32": 128, "float64": 1024}


@dataclasses.dataclass(frozen=True)
class Site:
    """A layer path with a kind.

    Attributes:
        layer: Path of the layer, nested models included (`backbone/block_2/conv`); the second call
            of a shared layer is `name#2`. `loss` and `input` stand for what belongs to no layer.
        kind: What is measured there.
        name: Tells apart the sites of one kind in one layer (`kernel`, `bias`, an input's name);
            empty where there is only one.
        dtype: Element type of the tensor, as Keras writes it (`float32`).
        shape: Shape of the tensor; None for a size that changes from batch to batch.
        layer_type: Class name of the layer (`Dense`); empty for `loss` and `input`.
        trainable: False for weights that the optimizer doesn't change, moving statistics among them.
        drawn_std: Standard deviation of a kernel when the training began; None where it isn't known.
        scaled: True for gradients under a loss scale, where an occasional inf is by design.
    """

    layer: str
    kind: Kind
    name: str = ""
    dtype: str = "float32"
    shape: tuple[int | None, ...] = ()
    layer_type: str = ""
    trainable: bool = True
    drawn_std: float | None = None
    scaled: bool = False

    @property
    def label(self) -> str:
        """The site in words, with its name in backticks: "`hidden_1` output gradient", "`hidden_1/kernel` weight"."""
        place = f"`{self.layer}/{self.name}`" if self.name else f"`{self.layer}`"
        return place if self.layer == self.kind.value else f"{place} {self.kind.value.replace('_', ' ')}"

    @property
    def log2_max(self) -> float:
        """Binary logarithm of the largest number that the site's type holds; inf for an unknown type."""
        return float(_MAX_EXPONENT.get(self.dtype, math.inf))
