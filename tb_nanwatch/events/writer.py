"""Turns what a session measures into summaries; a sink carries them to the event file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from tensorboard.compat.proto import summary_pb2

from tb_nanwatch.events import nanwatch_pb2 as pb
from tb_nanwatch.events.format import (
    EVENTS_PER_PART,
    MAJOR_VERSION,
    MINOR_VERSION,
    PLUGIN_NAME,
    alert_message,
    schema_message,
    tag,
)
from tb_nanwatch.model.alert import Alert
from tb_nanwatch.model.record import Record
from tb_nanwatch.model.site import Site
from tb_nanwatch.rules.thresholds import Thresholds


class Sink(Protocol):
    """Takes one summary; `metadata` is a serialized `SummaryMetadata`, or None but for a tag's first event."""

    def __call__(self, tag: str, value: Any, step: int, metadata: bytes | None) -> None:
        """Takes one summary of a tag at a step."""


class SessionWriter:
    """Writes one session: its samples, the loss of every step, and its alerts."""

    def __init__(self, sink: Sink, sites: Sequence[Site], thresholds: Thresholds, first_step: int) -> None:
        """Begins a session, named by the time at which it begins."""
        self._sink = sink
        self._session = f"{time.time_ns():020d}"
        self._schema = schema_message(sites, thresholds, first_step)
        self._written = {pb.SAMPLES: 0, pb.TRAIL: 0, pb.ALERTS: 0}

    def sample(self, record: Record) -> None:
        """Writes one sample."""
        # Statistics beyond float32's range, a norm of values near its end, become inf; all others fit.
        with np.errstate(over="ignore"):
            values = record.values.astype(np.float32)
        self._write(pb.SAMPLES, values, record.step)

    def trail(self, steps: npt.NDArray[np.int64], loss: npt.NDArray[np.float64]) -> None:
        """Writes the loss of the steps since the last call."""
        if steps.size:
            self._write(pb.TRAIL, np.stack([steps.astype(np.float64), loss], axis=1), int(steps[-1]))

    def alert(self, alert: Alert) -> None:
        """Writes one alert."""
        self._write(pb.ALERTS, alert_message(alert), self._written[pb.ALERTS])

    def _write(self, content: int, value: Any, step: int) -> None:
        part = 0 if content == pb.ALERTS else self._written[content] // EVENTS_PER_PART
        first = self._written[content] == 0 or (content != pb.ALERTS and self._written[content] % EVENTS_PER_PART == 0)
        header = pb.Header(
            major_version=MAJOR_VERSION,
            minor_version=MINOR_VERSION,
            session=self._session,
            content=content,
            part=part,
        )
        name = tag(header)
        # TensorBoard takes a tag's metadata from its first event; the schema needs to be there only.
        metadata = None
        if first:
            header.schema.CopyFrom(self._schema)
            metadata = summary_pb2.SummaryMetadata(
                plugin_data=summary_pb2.SummaryMetadata.PluginData(
                    plugin_name=PLUGIN_NAME, content=header.SerializeToString()
                ),
                data_class=summary_pb2.DATA_CLASS_TENSOR,
            ).SerializeToString()
        self._sink(name, value, step, metadata)
        self._written[content] += 1
