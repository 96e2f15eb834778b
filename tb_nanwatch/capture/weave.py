"""Hooks into a model for as long as one training step is traced.

Hooks are attributes of the instances (`layer.call`, `model.compute_loss`, `optimizer.apply`) that
shadow the class's methods. They go in when a trace begins and out when it ends, so that outside of a
trace the model is as it was, whatever happens to the training.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import keras
import tensorflow as tf

from tb_nanwatch.capture.guard import Guard
from tb_nanwatch.capture.shadow import shadowed
from tb_nanwatch.capture.step_trace import StepTrace
from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.site import INPUT_LAYER, Site

_SMALL_VARIABLES = ("bias", "gamma", "beta")


@contextlib.contextmanager
def woven(model: keras.Model, trace: StepTrace, guard: Guard) -> Iterator[None]:
    """Lets `trace` see what `model` computes, until the block ends."""
    hooks = _Hooks(model, trace, guard)
    with contextlib.ExitStack() as stack:
        for layer in model._flatten_layers(include_self=False):
            stack.enter_context(shadowed(layer, "call", hooks.layer_call(layer)))
        stack.enter_context(shadowed(model, "call", hooks.model_call(model.call)))
        stack.enter_context(shadowed(model, "compute_loss", hooks.compute_loss(model.compute_loss)))
        for variable in model.trainable_variables:
            if getattr(variable, "_regularizer", None) is not None:
                stack.enter_context(shadowed(variable, "_regularizer", hooks.regularizer(variable)))
        for optimizer in optimizers_of(model):
            stack.enter_context(shadowed(optimizer, "apply", hooks.optimizer_apply(optimizer)))
        yield


def optimizers_of(model: keras.Model) -> list[keras.optimizers.Optimizer]:
    """The optimizers that a model's training step may use: the compiled one and those kept as attributes."""
    candidates = [getattr(model, "optimizer", None), *vars(model).values()]
    found = {id(each): each for each in candidates if isinstance(each, keras.optimizers.Optimizer)}
    inner = {id(getattr(each, "inner_optimizer", None)) for each in found.values()}
    return [each for key, each in found.items() if key not in inner]


class _Hooks:
    def __init__(self, model: keras.Model, trace: StepTrace, guard: Guard) -> None:
        self._model = model
        self._trace = trace
        self._guard = guard
        self._stack: list[str] = []
        self._calls: Counter[str] = Counter()
        self._paths: dict[int, str] = {}
        self._weights_are_observed = False

    def layer_call(self, layer: keras.Layer) -> Callable[..., Any]:
        call = layer.call

        def hooked(*args: Any, **kwargs: Any) -> Any:
            path = self._enter(layer)
            try:
                outputs = call(*args, **kwargs)
            finally:
                self._stack.pop()
            with self._guard(f"the output of layer '{path}'"):
                if self._observe_tree(path, Kind.OUTPUT, outputs, type(layer).__name__) and tf.is_tensor(outputs):
                    return self._with_probe(path, outputs, type(layer).__name__)
            return outputs

        return hooked

    def model_call(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def hooked(*args: Any, **kwargs: Any) -> Any:
            with self._guard("the model's input"):
                self._observe_tree(INPUT_LAYER, Kind.INPUT, args[0] if args else kwargs)
            outputs = call(*args, **kwargs)
            with self._guard("the model's output"):
                self._observe_tree(self._model.name, Kind.OUTPUT, outputs, type(self._model).__name__)
            return outputs

        return hooked

    def compute_loss(self, compute: Callable[..., Any]) -> Callable[..., Any]:
        def hooked(*args: Any, **kwargs: Any) -> Any:
            given = dict(zip(("x", "y", "y_pred", "sample_weight"), args)) | kwargs
            loss = compute(*args, **kwargs)
            with self._guard("the target"):
                self._observe_tree(INPUT_LAYER, Kind.INPUT, given.get("y"), prefix="target")
                self._observe_tree(INPUT_LAYER, Kind.INPUT, given.get("sample_weight"), prefix="sample_weight")
            with self._guard("the loss"):
                self._trace.observe_loss(loss)
            return loss

        return hooked

    def regularizer(self, variable: Any) -> Callable[..., Any]:
        regularizer = variable.regularizer

        def hooked(value: Any) -> Any:
            penalty = regularizer(value)
            with self._guard(f"the penalty of {variable.path}"):
                place = next(place for place, each, _ in self._variables() if each is variable)
                site = Site(kind=Kind.PENALTY, dtype=keras.backend.standardize_dtype(penalty.dtype), **place)
                self._trace.observe_anew(site, penalty)
            return penalty

        return hooked

    def optimizer_apply(self, optimizer: keras.optimizers.Optimizer) -> Callable[..., Any]:
        apply = optimizer.apply

        def hooked(grads: Any, trainable_variables: Any = None) -> Any:
            grads = list(grads)
            if trainable_variables is not None:
                trainable_variables = list(trainable_variables)
            with self._guard("the gradients"):
                self._observe_gradients(optimizer, grads, trainable_variables)
            with self._guard("the step"):
                self._trace.measure()
            result = apply(grads, trainable_variables)
            with self._guard("the weights"):
                self._observe_weights()
            return result

        return hooked

    def _enter(self, layer: keras.Layer) -> str:
        path = "/".join([*self._stack[-1:], layer.name])
        self._calls[path] += self._trace.is_current()
        if self._calls[path] > 1:
            path = f"{path}#{self._calls[path]}"
        self._paths.setdefault(id(layer), path)
        self._stack.append(path)
        return path

    def _observe_tree(self, path: str, kind: Kind, tree: Any, layer_type: str = "", prefix: str = "") -> bool:
        """Adds the leaves of nested tensors; whether any was added."""
        any_added = False
        for keys, tensor in _leaves(tree):
            if not tf.is_tensor(tensor):
                continue
            site = Site(
                layer=path,
                kind=kind,
                name="/".join(part for part in (prefix, *keys) if part),
                dtype=keras.backend.standardize_dtype(tensor.dtype),
                # The batch axis changes with the last, smaller batch.
                shape=(None, *tensor.shape.as_list()[1:]) if tensor.shape.rank else (),
                layer_type=layer_type,
            )
            added = self._trace.observe(site, tensor)
            any_added |= added
            if added and kind is Kind.OUTPUT:
                self._trace.add_layer(path)
        return any_added

    def _with_probe(self, path: str, outputs: Any, layer_type: str) -> Any:
        """Passes a layer's one output through an identity in whose backward pass its gradient is seen."""
        scale = _loss_scale(getattr(self._model, "optimizer", None))
        site = Site(
            layer=path,
            kind=Kind.OUTPUT_GRADIENT,
            dtype=keras.backend.standardize_dtype(outputs.dtype),
            shape=(None, *outputs.shape.as_list()[1:]) if outputs.shape.rank else (),
            layer_type=layer_type,
            scaled=scale is not None,
        )

        def probe(values: tf.Tensor) -> Any:
            def backward(gradient: tf.Tensor) -> tf.Tensor:
                with self._guard(f"the gradient of the output of layer '{path}'"):
                    seen = gradient if scale is None else tf.cast(gradient, tf.float32) / scale
                    self._trace.observe_anew(site, seen)
                return gradient

            return tf.identity(values), backward

        probed = tf.custom_gradient(probe)(outputs)
        mask = getattr(outputs, "_keras_mask", None)
        if mask is not None:
            probed._keras_mask = mask
        self._trace.stands_for(probed)
        return probed

    def _observe_gradients(
        self, optimizer: keras.optimizers.Optimizer, grads: list[Any], variables: list[Any] | None
    ) -> None:
        scale = _loss_scale(optimizer)
        applied = optimizer._trainable_variables if variables is None else variables
        gradient_of = {id(variable): grad for variable, grad in zip(applied, grads) if grad is not None}
        for place, variable, siblings in self._variables():
            gradient = gradient_of.pop(id(variable), None)
            if gradient is None:
                continue
            site = Site(
                kind=Kind.GRADIENT,
                dtype=keras.backend.standardize_dtype(gradient.dtype),
                shape=tuple(variable.shape),
                scaled=scale is not None,
                **place,
            )
            if scale is not None and not isinstance(gradient, tf.IndexedSlices):
                gradient = tf.cast(gradient, tf.float32) / scale
            self._trace.add_layer(site.layer)
            self._trace.observe_gradient(site, gradient, whole=_is_small(variable) or not any(map(_is_small, siblings)))

    def _observe_weights(self) -> None:
        """Adds the weights as the optimizer has left them, once for each step."""
        if self._weights_are_observed:
            return
        self._weights_are_observed = True
        for place, variable, _ in self._variables():
            if not keras.backend.is_float_dtype(variable.dtype):
                continue
            site = Site(
                kind=Kind.WEIGHT,
                dtype=variable.dtype,
                shape=tuple(variable.shape),
                trainable=bool(variable.trainable),
                drawn_std=_std_now(variable),
                **place,
            )
            self._trace.add_layer(site.layer)
            self._trace.observe_variable(site, variable, whole=_is_small(variable))

    def _variables(self) -> Iterator[tuple[dict[str, Any], Any, list[Any]]]:
        """Each layer's own variables: where they are, as arguments of a site, the variable, and its siblings."""
        for layer in [self._model, *self._model._flatten_layers(include_self=False)]:
            path = self._paths.get(id(layer), layer.path or layer.name)
            own = [*layer._trainable_variables, *layer._non_trainable_variables]
            names: Counter[str] = Counter()
            for variable in own:
                names[variable.name] += 1
                count = names[variable.name]
                name = variable.name if count == 1 else f"{variable.name}#{count}"
                yield {"layer": path, "name": name, "layer_type": type(layer).__name__}, variable, own


def _std_now(variable: Any) -> float | None:
    """Standard deviation of a kernel outside of the graph: what it was drawn with, at the first trace."""
    if len(variable.shape) < 2:
        return None
    with tf.init_scope():
        return float(tf.math.reduce_std(tf.cast(tf.convert_to_tensor(variable), tf.float32)))


def _leaves(tree: Any, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Leaves of nested dicts and sequences with the way to each (`keras.tree` has this from Keras 3.7 on)."""
    if isinstance(tree, Mapping):
        branches: Iterable[tuple[Any, Any]] = tree.items()
    elif isinstance(tree, (list, tuple)):
        branches = enumerate(tree)
    else:
        yield keys, tree
        return
    for key, branch in branches:
        yield from _leaves(branch, (*keys, str(key)))


def _is_small(variable: Any) -> bool:
    return variable.name in _SMALL_VARIABLES or len(variable.shape) < 2


def _loss_scale(optimizer: keras.optimizers.Optimizer | None) -> tf.Tensor | None:
    if not isinstance(optimizer, keras.optimizers.LossScaleOptimizer):
        return None
    scale = optimizer.dynamic_scale if optimizer.built else optimizer.initial_scale
    return tf.cast(tf.convert_to_tensor(scale), tf.float32)
