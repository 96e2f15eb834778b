"""Writes logs without TensorFlow, for tests of what reads them."""

import numpy as np
from tensorboard.compat.proto import event_pb2, summary_pb2
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboard.util import tensor_util

from tb_nanwatch.events.writer import SessionWriter
from tb_nanwatch.model.record import Record
from tb_nanwatch.model.statistic import STATISTICS
from tb_nanwatch.rules.thresholds import Thresholds


class EventFileSink:
    """An `events.writer.Sink` on TensorBoard's own writer."""

    def __init__(self, log_dir) -> None:
        self.writer = EventFileWriter(str(log_dir))

    def __call__(self, tag, value, step, metadata) -> None:
        summary = summary_pb2.Summary()
        added = summary.value.add(tag=tag, tensor=tensor_util.make_tensor_proto(value))
        if metadata is not None:
            added.metadata.ParseFromString(metadata)
        self.writer.add_event(event_pb2.Event(step=step, wall_time=1.0e9 + step, summary=summary))


def write_log(log_dir, sites, steps, first_step=0, values=None):
    """Writes one session of steps at which every statistic is 1, but for what `values` has."""
    sink = EventFileSink(log_dir)
    writer = SessionWriter(sink, sites, Thresholds(), first_step)
    for step in range(first_step, first_step + steps):
        ones = np.ones((len(sites), len(STATISTICS)))
        ones[:, -1] = 0
        writer.sample(Record(step, ones if values is None else values(step)))
        writer.trail(np.array([step]), np.array([1.0]))
    sink.writer.close()
