"""Puts a run together again from its tags, whoever reads the files."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_nanwatch.errors import InvalidArgumentError, LogFormatError
from tb_nanwatch.events import nanwatch_pb2 as pb
from tb_nanwatch.events.format import read_alert, read_header, read_sites, read_thresholds
from tb_nanwatch.model.alert import Alert
from tb_nanwatch.model.record import Record
from tb_nanwatch.model.site import Site
from tb_nanwatch.model.statistic import STATISTICS
from tb_nanwatch.rules.thresholds import Thresholds

_MOST_STEPS = 2**53


@dataclasses.dataclass(frozen=True)
class Event:
    """One event of a tag: its step and its tensor."""

    step: int
    tensor: npt.NDArray[Any]


class SessionLog:
    """What is known of one session; grows as its tags are read.

    Attributes:
        name: Sorts by the time at which the session began.
        sites: Its sites, in forward order.
        thresholds: The thresholds that it was judged by.
        first_step: Its first step.
        records: Its samples, by step.
        trail: By step, the loss.
        alerts: Its alerts, by their number.
    """

    def __init__(self, header: pb.Header) -> None:
        """Reads the session's schema.

        Raises:
            LogFormatError: If it can't be used.
        """
        self.name = header.session
        self.sites: tuple[Site, ...] = read_sites(header.schema)
        try:
            self.thresholds = read_thresholds(header.schema)
        except InvalidArgumentError:
            # Another version's rules; what was recorded can still be judged by this version's defaults.
            self.thresholds = Thresholds()
        self.first_step = header.schema.first_step
        self.records: dict[int, Record] = {}
        self.trail: dict[int, float] = {}
        self.alerts: dict[int, Alert] = {}

    def take(self, content: int, events: Iterable[Event]) -> list[str]:
        """Takes in events of a tag; those known already are passed over. Returns what could not be read."""
        problems: dict[str, None] = {}
        for event in events:
            try:
                self._take(content, event)
            except LogFormatError as error:
                problems[str(error)] = None
        return list(problems)

    def _take(self, content: int, event: Event) -> None:
        if not 0 <= event.step < _MOST_STEPS:
            raise LogFormatError(f"an event claims step {event.step}")
        if content == pb.SAMPLES:
            if event.step not in self.records:
                self.records[event.step] = Record(event.step, self._sample(event.tensor))
        elif content == pb.TRAIL:
            self._trail(event.tensor)
        elif event.step not in self.alerts:
            if event.tensor.shape != () or not isinstance(event.tensor[()], bytes):
                raise LogFormatError("an alert is not a string")
            self.alerts[event.step] = read_alert(event.tensor[()])

    def _sample(self, tensor: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        expected = (len(self.sites), len(STATISTICS))
        if tensor.shape != expected or tensor.dtype.kind != "f":
            raise LogFormatError(
                f"a sample has the shape {list(tensor.shape)} of {tensor.dtype}; expected {list(expected)}"
            )
        # A NaN of the signalling kind, which only a damaged log holds, would be warned of.
        with np.errstate(invalid="ignore"):
            return tensor.astype(np.float64)

    def _trail(self, tensor: npt.NDArray[Any]) -> None:
        if tensor.ndim != 2 or tensor.shape[1] != 2 or tensor.dtype.kind != "f":
            raise LogFormatError(f"a trail of losses has the shape {list(tensor.shape)} of {tensor.dtype}")
        for step, loss in tensor:
            if 0 <= step < _MOST_STEPS:
                self.trail[int(step)] = float(loss)


class RunLog:
    """All sessions of one run."""

    def __init__(self) -> None:
        self.sessions: dict[str, SessionLog] = {}
        self.problems: dict[str, None] = {}

    def take(self, tag: str, header_bytes: bytes, events: Iterable[Event]) -> SessionLog | None:
        """Takes in a tag. What can't be read is kept in `problems`, one sentence each, and nothing raises."""
        try:
            header = read_header(header_bytes)
            if header.session not in self.sessions:
                self.sessions[header.session] = SessionLog(header)
        except LogFormatError as error:
            self.problems[f"a part of the log is left out: {error}"] = None
            return None
        session = self.sessions[header.session]
        for problem in session.take(header.content, events):
            self.problems[f"a part of the log is left out: {problem}"] = None
        return session

    def in_order(self) -> Sequence[SessionLog]:
        """The sessions by the time at which they began."""
        return [self.sessions[name] for name in sorted(self.sessions)]
