"""The raw numbers of tensors, computed in the graph. `stats.summary.raw_summary` is the reference."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tb_nanwatch.stats.summary import RAW

_WIDTH = 128
_SMALL = 4096
_FOLDS = 4
_SMALLEST = 1e-16
_MIN, _MAX = RAW.index("min"), RAW.index("max")


def raw_summaries(tensors: Sequence[tf.Tensor], compiled: bool) -> tf.Tensor:
    """Reduces tensors to the numbers of `stats.summary.RAW`.

    Nearly every record is of finite numbers of ordinary size, for which half of the passes over memory
    are enough. Only if a result says otherwise are large tensors measured again with care. Small ones,
    which are the most, are measured together, and all of one shape share one traced function: a net of
    50 layers has 700 tensors, and a graph of its own for each took minutes to build.

    Args:
        tensors: Real numbers of any shape.
        compiled: Whether the graph is being traced for XLA.

    Returns:
        float32 `[tensors, 7]`. Counts are exact up to 2**24 and rounded as float32 above.
    """
    small = [index for index, tensor in enumerate(tensors) if _is_small(tensor)]
    large = [index for index, tensor in enumerate(tensors) if not _is_small(tensor)]
    parts = []
    if small:
        parts.append(_small_summaries([tensors[index] for index in small]))
    if large:
        parts.append(_large_summaries([tensors[index] for index in large], compiled))
    if not parts:
        return tf.zeros((0, len(RAW)), tf.float32)
    return tf.gather(tf.concat(parts, axis=0), np.argsort([*small, *large]))


def _is_small(tensor: tf.Tensor) -> bool:
    size = tensor.shape.num_elements() if tensor.shape.rank is not None else None
    return size is not None and size <= _SMALL


def _small_summaries(tensors: Sequence[tf.Tensor]) -> tf.Tensor:
    """The raw numbers of small tensors, whatever they hold, all at once."""
    sizes = [tensor.shape.num_elements() for tensor in tensors]
    count = len(tensors)
    segment = tf.constant(np.repeat(np.arange(count, dtype=np.int32), sizes))
    values = tf.concat([tf.reshape(tf.cast(tensor, tf.float32), [-1]) for tensor in tensors], axis=0)

    def total(each: tf.Tensor) -> tf.Tensor:
        return tf.math.unsorted_segment_sum(each, segment, count)

    zero = tf.zeros((), tf.float32)
    finite = tf.math.is_finite(values)
    finite_count = total(tf.cast(finite, tf.float32))
    zero_count = total(tf.cast(tf.equal(values, zero), tf.float32))
    low = tf.math.unsorted_segment_min(tf.where(finite, values, tf.float32.max), segment, count)
    high = tf.math.unsorted_segment_max(tf.where(finite, values, tf.float32.min), segment, count)
    scale = _scale(finite_count, low, high)
    scaled = tf.where(finite, values / tf.gather(scale, segment), zero)
    divisor = tf.maximum(finite_count, 1.0)
    mean = total(scaled) / divisor
    spread = tf.where(finite, scaled - tf.gather(mean, segment), zero)
    variance = total(spread * spread) / divisor
    return _rows(tf.constant(sizes, tf.float32), finite_count, zero_count, mean, variance, low, high, scale)


def _large_summaries(tensors: Sequence[tf.Tensor], compiled: bool) -> tf.Tensor:
    rows = tf.stack([_ordinary(compiled)(tensor) for tensor in tensors])
    magnitude = tf.maximum(tf.abs(rows[:, _MIN]), tf.abs(rows[:, _MAX]))
    # Squares of smaller numbers would underflow.
    ordinary = tf.reduce_all(tf.math.is_finite(rows)) & tf.reduce_all((magnitude > _SMALLEST) | (magnitude == 0))
    return tf.cond(
        ordinary,
        lambda: rows,
        lambda: tf.stack([_careful(compiled)(tensor) for tensor in tensors]),
    )


@functools.cache
def _ordinary(compiled: bool) -> Any:
    return _shared(_ordinary_summary, compiled)


@functools.cache
def _careful(compiled: bool) -> Any:
    return _shared(careful_summary, compiled)


def _shared(function: Callable[[tf.Tensor, bool], tf.Tensor], compiled: bool) -> Any:
    """One traced function for all tensors of a shape, which the graph calls and doesn't copy."""
    return tf.function(
        lambda tensor: function(tensor, compiled), autograph=False, experimental_attributes={"_noinline": True}
    )


def _ordinary_summary(tensor: tf.Tensor, compiled: bool) -> tf.Tensor:
    """The raw numbers of finite numbers of ordinary size; not finite for any other."""
    rows = _as_rows(tf.cast(tensor, tf.float32))
    size = tf.cast(tf.size(rows), tf.float32)
    zero = tf.zeros((), tf.float32)
    total, zero_count, low, high = _reduce(
        [
            (tf.reduce_sum, rows),
            (tf.reduce_sum, tf.cast(tf.equal(rows, zero), tf.float32)),
            (tf.reduce_min, rows),
            (tf.reduce_max, rows),
        ],
        compiled,
    )
    mean = total / size
    spread = rows - mean
    squares = _reduce([(tf.reduce_sum, spread * spread)], compiled)[0] if compiled else 2 * tf.nn.l2_loss(spread)
    return tf.stack([size, zero, zero_count, mean, tf.sqrt(squares / size), low, high])


def careful_summary(tensor: tf.Tensor, compiled: bool) -> tf.Tensor:
    """The raw numbers of one tensor whatever it holds, as `raw_summaries` has them: float32 `[7]`."""
    rows = _as_rows(tf.cast(tensor, tf.float32))
    finite = tf.math.is_finite(rows)
    infinity = tf.constant(math.inf, tf.float32)
    zero = tf.zeros((), tf.float32)
    finite_count, zero_count, low, high = _reduce(
        [
            (tf.reduce_sum, tf.cast(finite, tf.float32)),
            (tf.reduce_sum, tf.cast(tf.equal(rows, zero), tf.float32)),
            (tf.reduce_min, tf.where(finite, rows, infinity)),
            (tf.reduce_max, tf.where(finite, rows, -infinity)),
        ],
        compiled,
    )
    size = tf.cast(tf.size(rows), tf.float32)
    scale = _scale(finite_count, low, high)
    scaled = tf.where(finite, rows / scale, zero)
    divisor = tf.maximum(finite_count, 1.0)
    mean = _reduce([(tf.reduce_sum, scaled)], compiled)[0] / divisor
    spread = tf.where(finite, scaled - mean, zero)
    variance = _reduce([(tf.reduce_sum, spread * spread)], compiled)[0] / divisor
    return _rows(size, finite_count, zero_count, mean, variance, low, high, scale)


def _scale(finite_count: tf.Tensor, low: tf.Tensor, high: tf.Tensor) -> tf.Tensor:
    """The largest magnitude: what values are divided by, as in BLAS's nrm2, so that no square overflows float32."""
    magnitude = tf.maximum(tf.abs(low), tf.abs(high))
    return tf.where((finite_count > 0) & (magnitude > 0), magnitude, tf.ones_like(magnitude))


def _rows(
    size: tf.Tensor,
    finite_count: tf.Tensor,
    zero_count: tf.Tensor,
    mean: tf.Tensor,
    variance: tf.Tensor,
    low: tf.Tensor,
    high: tf.Tensor,
    scale: tf.Tensor,
) -> tf.Tensor:
    """Puts raw numbers together along a new last axis; mean and variance are in units of the scale."""
    some = finite_count > 0
    nothing = tf.constant(math.nan, tf.float32)
    numbers = [mean * scale, tf.sqrt(variance) * scale, low, high]
    known = [tf.where(some, number, nothing) for number in numbers]
    return tf.stack([finite_count, size - finite_count, zero_count, *known], axis=-1)


def _as_rows(tensor: tf.Tensor) -> tf.Tensor:
    """Reshapes to `[rows, columns]` along the tensor's own trailing axes, without moving an element."""
    columns = 1
    for size in reversed(tensor.shape.as_list() if tensor.shape.rank is not None else []):
        if size is None or columns >= _WIDTH:
            break
        columns *= size
    if columns and columns % _WIDTH == 0:
        columns = _WIDTH
    return tf.reshape(tensor, [-1, columns] if columns else [0, 1])


def _reduce(reductions: list[tuple[Any, tf.Tensor]], compiled: bool) -> list[tf.Tensor]:
    """Applies each reduction to its `[rows, columns]`, giving scalars.

    XLA on a CPU turns a reduction to a scalar into a serial loop, and merges two steps back into one
    unless a barrier stands between them: the two steps were measured at half the time.
    """
    if not compiled:
        return [reduction(values) for reduction, values in reductions]
    from tensorflow.compiler.tf2xla.python import xla

    columns = xla.optimization_barrier(
        *[reduction(_folded(reduction, values), axis=0) for reduction, values in reductions]
    )
    return [reduction(column) for (reduction, _), column in zip(reductions, columns)]


def _folded(reduction: Any, values: tf.Tensor) -> tf.Tensor:
    """Adds up quarters of the rows first: XLA doesn't vectorize a sum of computed values, and this makes it shorter."""
    rows = values.shape[0]
    if reduction is not tf.reduce_sum or rows is None or rows % _FOLDS or rows < _FOLDS:
        return values
    quarters = tf.unstack(tf.reshape(values, [_FOLDS, rows // _FOLDS, values.shape[1]]))
    return (quarters[0] + quarters[1]) + (quarters[2] + quarters[3])
