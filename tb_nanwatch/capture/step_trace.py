"""What one training step shows while it is traced: its sites, their tensors and its signals."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from tb_nanwatch.capture.statistics import raw_summaries
from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.site import INPUT_LAYER, LOSS_LAYER, Site

_KIND_ORDER = list(Kind)


@dataclasses.dataclass(frozen=True)
class Signals:
    """What decides in the graph whether a step is measured.

    Attributes:
        loss: float32 scalar, 0 where the step computes none that can be seen.
        gradient: float32 scalar, a sum of magnitudes over the parts of gradients that stand for all.
        weight: float32 scalar, the same of the updated weights; 0 until they are updated.
    """

    loss: tf.Tensor
    gradient: tf.Tensor
    weight: tf.Tensor


class StepTrace:
    """Collects sites and tensors from one trace of a training step, and measures them in the graph.

    Tensors come in while the step is traced and are measured by `measure`, which runs before each
    optimizer applies its gradients, so that these needn't be kept longer, and at the end, when the
    weights are updated: XLA would copy each weight that is read within a condition before its update.
    """

    def __init__(self, compiled: bool, due: Callable[[Signals], tf.Tensor]) -> None:
        """Starts an empty trace.

        Args:
            compiled: Whether the step is traced for XLA.
            due: Gives a boolean scalar in the graph: is this step to be measured?
        """
        self.layers: list[str] = []
        self.loss_value: tf.Tensor | None = None
        self._compiled = compiled
        self._due = due
        self._graph = None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
        self._pending: list[tuple[Site, Callable[[], tf.Tensor]]] = []
        self._sentinels: list[tf.Tensor] = []
        self._updated: list[tf.Tensor] = []
        self._seen: list[Any] = []
        self._measured: list[tuple[list[Site], tf.Tensor]] = []
        self._fired: list[tf.Tensor] = []

    def is_current(self) -> bool:
        """Whether the step itself is being built, and not a loop's body or Keras's scratch graph for shapes."""
        if self._graph is None:
            return bool(tf.executing_eagerly())
        return tf.compat.v1.get_default_graph() is self._graph

    def observe(self, site: Site, tensor: Any) -> bool:
        """Adds a tensor to be measured; False where it can't be (an inner loop's, or not real numbers)
        or has been."""
        if not self._usable(tensor):
            return False
        if site.kind is Kind.OUTPUT:
            # A container returns the very tensor of its last layer: one site is enough.
            if any(tensor is seen for seen in self._seen):
                return False
            self._seen.append(tensor)
        self._pending.append((site, lambda: tensor))
        return True

    def stands_for(self, tensor: Any) -> None:
        """Says that a tensor is one that was observed already, under another name."""
        self._seen.append(tensor)

    def observe_anew(self, site: Site, tensor: Any) -> None:
        """Adds a tensor that may be computed several times in a step, of which the last one counts.

        A loss that holds gradients itself passes a layer's backward pass twice, for instance; the last pass
        is the one that trains.
        """
        self._pending = [each for each in self._pending if each[0] != site]
        self.observe(site, tensor)

    def add_layer(self, path: str) -> None:
        """Gives a layer its place in the forward order: next, or with its parent if that came already."""
        if path in self.layers:
            return
        parent = path.rpartition("/")[0]
        place = self.layers.index(parent) if parent in self.layers else len(self.layers)
        self.layers.insert(place, path)

    def observe_variable(self, site: Site, variable: Any, whole: bool) -> None:
        """Adds a variable, read when it is measured, a part of which is looked at in every step.

        An update that leaves NaN behind mostly does so everywhere; the first output's column will do.
        """
        self._pending.append((site, lambda: tf.convert_to_tensor(variable)))
        if site.trainable:
            values = tf.convert_to_tensor(variable)
            self._updated.append(values if whole else values[..., :1])

    def observe_gradient(self, site: Site, gradient: Any, whole: bool) -> None:
        """Adds a gradient, a part of which is looked at in every step.

        A NaN in a layer's output gradient is in the gradients of its bias, gamma or beta, which are sums
        of it, and small. A NaN in its input, even one that a relu turns into 0 on its way to the loss,
        is in a kernel's gradient for every output alike, so that the first output's column will do.

        Args:
            site: The gradient's site.
            gradient: The gradient.
            whole: True for a small gradient, and for one whose layer has no small one.
        """
        values = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
        if self.observe(site, values) and not site.scaled:
            self._sentinels.append(values if whole else values[..., :1])

    def observe_loss(self, loss: Any) -> None:
        """Sets the step's loss, before any loss scale; several are added up."""
        if not self._usable(loss):
            return
        total = tf.reduce_sum(tf.cast(loss, tf.float32))
        self.loss_value = total if self.loss_value is None else self.loss_value + total
        dtype = keras.backend.standardize_dtype(loss.dtype)
        self._pending = [(site, read) for site, read in self._pending if site.kind is not Kind.LOSS]
        value = self.loss_value
        self._pending.append((Site(LOSS_LAYER, Kind.LOSS, dtype=dtype), lambda: value))

    def signals(self) -> Signals:
        """The step's signals, from what was seen so far."""
        loss = tf.zeros((), tf.float32) if self.loss_value is None else self.loss_value
        return Signals(loss, _total_magnitude(self._sentinels), _total_magnitude(self._updated))

    def measure(self) -> None:
        """Measures everything that came in since the last call, in this place of the graph."""
        if not self._pending:
            return
        pending, self._pending = self._pending, []
        fired = self._due(self.signals())

        def measured() -> tf.Tensor:
            return raw_summaries([read() for _, read in pending], self._compiled)

        def unmeasured() -> tf.Tensor:
            return tf.constant([_UNMEASURED] * len(pending), tf.float32)

        self._measured.append(([site for site, _ in pending], tf.cond(fired, measured, unmeasured)))
        self._fired.append(fired)

    def result(self) -> tuple[tuple[Site, ...], tf.Tensor, tf.Tensor]:
        """Ends the trace.

        Returns:
            The sites in forward order, their raw numbers as float32 `[sites, 7]`, and a boolean
            scalar: was this step measured?
        """
        self.measure()
        sites = [site for group, _ in self._measured for site in group]
        if not sites:
            return (), tf.zeros((0, len(_UNMEASURED)), tf.float32), tf.constant(False)
        places = {layer: index for index, layer in enumerate([INPUT_LAYER, *self.layers, LOSS_LAYER])}
        order = sorted(
            range(len(sites)),
            key=lambda i: (places.get(sites[i].layer, len(places) - 2), _KIND_ORDER.index(sites[i].kind), i),
        )
        rows = tf.gather(tf.concat([rows for _, rows in self._measured], axis=0), order)
        return tuple(sites[i] for i in order), rows, tf.reduce_any(tf.stack(self._fired))

    def _usable(self, tensor: Any) -> bool:
        """Whether a tensor lives in the step itself and holds real numbers."""
        if not tf.is_tensor(tensor) or not keras.backend.is_float_dtype(keras.backend.standardize_dtype(tensor.dtype)):
            return False
        if isinstance(tensor, (tf.SparseTensor, tf.RaggedTensor)) or not self.is_current():
            return False
        return self._graph is None or getattr(tensor, "graph", None) is self._graph


_UNMEASURED = [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def _total_magnitude(tensors: list[tf.Tensor]) -> tf.Tensor:
    sums = [tf.reduce_sum(tf.abs(tf.cast(values, tf.float32))) for values in tensors]
    return tf.add_n(sums) if sums else tf.zeros((), tf.float32)
