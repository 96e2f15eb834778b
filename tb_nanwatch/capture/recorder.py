"""The buffer on the device: written by every training step, read by the host now and then."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from tb_nanwatch.capture.schedule import Schedule
from tb_nanwatch.capture.step_trace import Signals, StepTrace
from tb_nanwatch.model.record import Record
from tb_nanwatch.model.site import Site
from tb_nanwatch.stats.summary import RAW, statistics_from_raw

_JUMP = 4.0
_LEVEL_DECAY = 0.98
_LONGEST_BAD_RUN = 8


@dataclasses.dataclass(frozen=True)
class Reading:
    """What the host finds in the buffer.

    Attributes:
        sites: The sites of the records, in their order.
        records: The samples since the last reading, by step.
        trail_steps: int64 `[n]`: every step since the last reading, sampled or not.
        trail_loss: float64 `[n]`: the loss at each of them; NaN where the step shows none.
    """

    sites: tuple[Site, ...]
    records: tuple[Record, ...]
    trail_steps: npt.NDArray[np.int64]
    trail_loss: npt.NDArray[np.float64]


class Recorder:
    """Decides in the graph which steps are measured, and keeps their rows until the host reads them.

    Each step writes one slot of a ring, and only a measured step moves on to the next slot: the write
    stands outside of the condition, and its index is a tensor for `scatter_nd_update`, because XLA
    recompiles at every step for a computed index in `variable[index].assign`.
    """

    def __init__(self, schedule: Schedule, compiled: bool, first_step: int, steps_per_call: int = 1) -> None:
        """Creates the counters; the ring itself is made when the first trace tells its size.

        Args:
            schedule: Which steps are due.
            compiled: Whether the step is traced for XLA.
            first_step: Number of the first step that will be run.
            steps_per_call: Most steps that run between two chances to read.
        """
        self.last_step = first_step - 1
        self._schedule = schedule
        self._compiled = compiled
        self._capacity = schedule.longest_wait + steps_per_call
        self._read_step = first_step
        self._dense_until = tf.Variable(first_step + schedule.dense, trainable=False, dtype=tf.int64)
        self._step = tf.Variable(first_step, trainable=False, dtype=tf.int64)
        self._level = tf.Variable([0.0, 0.0], trainable=False, dtype=tf.float32)
        self._bad_run = tf.Variable(0, trainable=False, dtype=tf.int64)
        self._trail = tf.Variable(tf.zeros([self._capacity], tf.float32), trainable=False)
        self._rings: dict[tuple[tuple[str, str, str], ...], _Ring] = {}

    def trace(self) -> StepTrace:
        """Begins the trace of one step."""
        return StepTrace(self._compiled, self._due)

    def commit(self, trace: StepTrace) -> None:
        """Ends the trace of a step: writes its rows and moves the counters on, in the graph."""
        sites, rows, fired = trace.result()
        signals = trace.signals()
        with tf.init_scope():
            key = tuple((site.layer, site.kind.value, site.name) for site in sites)
            if key not in self._rings:
                self._rings[key] = _Ring(sites, self._capacity)
        self._rings[key].write(self._step, rows, fired)
        bad, jumped = self._wrong(signals)
        step = tf.identity(self._step)
        until = tf.where(jumped, step + 1 + self._schedule.after_jump, self._dense_until)
        self._dense_until.assign(tf.maximum(until, self._dense_until))
        self._bad_run.assign(tf.where(bad, self._bad_run + 1, tf.zeros_like(self._bad_run)))
        level = tf.abs(tf.stack([signals.loss, signals.gradient]))
        level = tf.where(tf.math.is_finite(level), level, tf.zeros_like(level))
        self._level.assign(tf.maximum(level, self._level * _LEVEL_DECAY))
        loss = signals.loss if trace.loss_value is not None else tf.constant(np.nan, tf.float32)
        self._trail.scatter_nd_update([[step % self._capacity]], [loss])
        self._step.assign(step + 1)

    def read(self) -> Iterator[Reading]:
        """Reads what is new, on the host; the first reading comes once a step has run."""
        step = int(self._step.numpy())
        steps = np.arange(max(self._read_step, step - self._capacity), step, dtype=np.int64)
        if not steps.size:
            return
        trail = self._trail.numpy().astype(np.float64)[steps % self._capacity]
        self._read_step, self.last_step = step, step - 1
        for ring in self._rings.values():
            records = ring.read()
            if records or len(self._rings) == 1:
                yield Reading(ring.sites, records, steps, trail)
                steps, trail = steps[:0], trail[:0]

    def is_due(self, calls: int, first_calls: int) -> bool:
        """Whether the host is to read after its `calls`-th call since the last reading."""
        return first_calls <= self._schedule.dense or calls >= self._schedule.longest_wait

    def _due(self, signals: Signals) -> tf.Tensor:
        regular = (self._step < self._dense_until) | (self._step % self._schedule.every == 0)
        bad, jumped = self._wrong(signals)
        return regular | jumped | (bad & (self._bad_run < _LONGEST_BAD_RUN))

    def _wrong(self, signals: Signals) -> tuple[tf.Tensor, tf.Tensor]:
        """Whether the step is not finite, and whether it lies far above the recent level."""
        now = tf.abs(tf.stack([signals.loss, signals.gradient]))
        bad = tf.reduce_any(~tf.math.is_finite(now)) | ~tf.math.is_finite(signals.weight)
        jumped = tf.reduce_any((self._level > 0) & (now > _JUMP * self._level))
        return bad, jumped


class _Ring:
    """Rows of the last samples of one list of sites."""

    def __init__(self, sites: tuple[Site, ...], capacity: int) -> None:
        self.sites = sites
        self._capacity = capacity
        self._read_count = 0
        self._rows = tf.Variable(tf.zeros([capacity, len(sites), len(RAW)], tf.float32), trainable=False)
        self._steps = tf.Variable(tf.zeros([capacity], tf.int64), trainable=False)
        self._count = tf.Variable(0, trainable=False, dtype=tf.int64)

    def write(self, step: tf.Tensor, rows: tf.Tensor, fired: tf.Tensor) -> None:
        slot = [[self._count % self._capacity]]
        self._rows.scatter_nd_update(slot, rows[None])
        self._steps.scatter_nd_update(slot, tf.identity(step)[None])
        self._count.assign_add(tf.cast(fired, tf.int64))

    def read(self) -> tuple[Record, ...]:
        count = int(self._count.numpy())
        if count == self._read_count:
            return ()
        slots = np.arange(max(self._read_count, count - self._capacity), count) % self._capacity
        self._read_count = count
        steps = self._steps.numpy()[slots]
        values = statistics_from_raw(tf.gather(self._rows, slots).numpy())
        return tuple(Record(int(step), rows) for step, rows in zip(steps, values))
