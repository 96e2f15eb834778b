"""The host's side of one training: reads the buffer, judges, writes and tells."""

from __future__ import annotations

import logging
from collections.abc import Callable

import keras

from tb_nanwatch.capture.guard import Guard
from tb_nanwatch.capture.recorder import Reading, Recorder
from tb_nanwatch.capture.schedule import Schedule
from tb_nanwatch.capture.sink import SummarySink
from tb_nanwatch.capture.train_function import WovenTrainFunction
from tb_nanwatch.detect.engine import Engine
from tb_nanwatch.events.writer import SessionWriter
from tb_nanwatch.model.alert import Alert
from tb_nanwatch.model.site import Site
from tb_nanwatch.rules.thresholds import Thresholds

logger = logging.getLogger("tb_nanwatch")

_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "critical": logging.CRITICAL}


class Session:
    """One `fit` under watch, from weaving the instrument in to taking it out."""

    def __init__(
        self,
        model: keras.Model,
        log_dir: str,
        schedule: Schedule,
        thresholds: Thresholds,
        first_step: int,
        tell: Callable[[Alert], None],
    ) -> None:
        """Weaves the instrument into the model's next steps.

        Raises:
            LogDirectoryError: If the log directory can't be written; the model is as it was.
        """
        self._guard = Guard()
        self._sink = SummarySink(log_dir)
        self._thresholds = thresholds
        self._first_step = first_step
        self._tell = tell
        self._calls = 0
        self._calls_since_reading = 0
        self._closed = False
        self._judges: dict[tuple[Site, ...], tuple[Engine, SessionWriter]] = {}
        self._recorder = Recorder(
            schedule,
            compiled=bool(model.jit_compile) and not model.run_eagerly,
            first_step=first_step,
            steps_per_call=getattr(model, "steps_per_execution", 1) or 1,
        )
        self._function = WovenTrainFunction(model, self._recorder, self._guard, self._after_call, self.close)

    @property
    def last_step(self) -> int:
        """The last step that the host has read; one before the first, at the start."""
        return self._recorder.last_step

    def arm(self) -> None:
        """Announces the next step."""
        self._function.arm()

    def close(self) -> None:
        """Takes the instrument out, reads what is left, and closes the log. Safe to call again."""
        if self._closed:
            return
        self._closed = True
        self._function.remove()
        with self._guard("the end of the training"):
            self._read()
        with self._guard("the end of the log"):
            self._sink.close()

    def _after_call(self) -> None:
        self._calls += 1
        self._calls_since_reading += 1
        if self._recorder.is_due(self._calls_since_reading, self._calls):
            self._calls_since_reading = 0
            with self._guard("a part of the training"):
                self._read()

    def _read(self) -> None:
        for reading in self._recorder.read():
            self._take(reading)

    def _take(self, reading: Reading) -> None:
        if reading.sites not in self._judges:
            engine = Engine(reading.sites, self._thresholds)
            writer = SessionWriter(self._sink, reading.sites, self._thresholds, self._first_step)
            self._judges[reading.sites] = engine, writer
        engine, writer = self._judges[reading.sites]
        told = len(engine.alerts)
        for record in reading.records:
            with self._guard("the judgement of a step"):
                engine.feed(record, seen=self._recorder.last_step)
            with self._guard("a sample in the log"):
                writer.sample(record)
        with self._guard("the loss in the log"):
            writer.trail(reading.trail_steps, reading.trail_loss)
        for alert in engine.alerts[told:]:
            words = (alert.step, alert.message, alert.cause, alert.advice)
            logger.log(_LEVELS[alert.severity], "nanwatch: step %d: %s\n  cause: %s\n  try: %s", *words)
            with self._guard("an alert in the log"):
                writer.alert(alert)
                self._sink.flush()
            self._tell(alert)
