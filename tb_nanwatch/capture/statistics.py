"""The raw numbers of tensors, computed in the graph. `stats.summary.raw_summary` is the reference."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tb_nanwatch.stats.summary import RAW

_WIDTH = 128
_SMALLEST = 1e-16
_MIN, _MAX = RAW.index("min"), RAW.index("max")


def raw_summaries(tensors: Sequence[Callable[[], tf.Tensor]], compiled: bool) -> tf.Tensor:
    """Reduces tensors to the numbers of `stats.summary.RAW`.

    Nearly every record is of finite numbers of ordinary size, for which half of the passes over memory
    are enough. Only if a result says otherwise is the record computed again with care.

    Args:
        tensors: Each gives real numbers of any shape.
        compiled: Whether the graph is being traced for XLA.

    Returns:
        float32 `[tensors, 7]`. Counts are exact up to 2**24 and rounded as float32 above.
    """
    rows = tf.stack([_ordinary_summary(tensor(), compiled) for tensor in tensors])
    magnitude = tf.maximum(tf.abs(rows[:, _MIN]), tf.abs(rows[:, _MAX]))
    # Squares of smaller numbers would underflow.
    ordinary = tf.reduce_all(tf.math.is_finite(rows)) & tf.reduce_all((magnitude > _SMALLEST) | (magnitude == 0))
    return tf.cond(
        ordinary,
        lambda: rows,
        lambda: tf.stack([careful_summary(tensor(), compiled) for tensor in tensors]),
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
    some = finite_count > 0
    # Scaled by the largest magnitude, as BLAS's nrm2 does, so that no square overflows float32.
    magnitude = tf.maximum(tf.abs(low), tf.abs(high))
    scale = tf.where(some & (magnitude > 0), magnitude, tf.ones_like(magnitude))
    scaled = tf.where(finite, rows / scale, zero)
    divisor = tf.maximum(finite_count, 1.0)
    mean = _reduce([(tf.reduce_sum, scaled)], compiled)[0] / divisor
    spread = tf.where(finite, scaled - mean, zero)
    variance = _reduce([(tf.reduce_sum, spread * spread)], compiled)[0] / divisor
    nothing = tf.constant(math.nan, tf.float32)
    return tf.stack(
        [
            finite_count,
            size - finite_count,
            zero_count,
            tf.where(some, mean * scale, nothing),
            tf.where(some, tf.sqrt(variance) * scale, nothing),
            tf.where(some, low, nothing),
            tf.where(some, high, nothing),
        ]
    )


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

    columns = xla.optimization_barrier(*[reduction(values, axis=0) for reduction, values in reductions])
    return [reduction(column) for (reduction, _), column in zip(reductions, columns)]
