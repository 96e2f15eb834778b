"""`NanWatch`, the callback for `model.fit`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import keras

from tb_nanwatch.errors import BackendError, CallbackReuseError, InvalidArgumentError
from tb_nanwatch.model.alert import Alert
from tb_nanwatch.rules.thresholds import Thresholds

if keras.backend.backend() != "tensorflow":
    raise BackendError(
        f"tb_nanwatch measures Keras on TensorFlow, and Keras runs on {keras.backend.backend()!r}. "
        "Set the environment variable KERAS_BACKEND=tensorflow before Keras is imported"
    )

from tb_nanwatch.capture.guard import Guard
from tb_nanwatch.capture.schedule import Schedule
from tb_nanwatch.capture.session import Session


class NanWatch(keras.callbacks.Callback):
    """Records the health of every layer while `fit` trains, and warns before the first NaN.

    Example:

    ```python
    from tb_nanwatch import NanWatch

    watch = NanWatch("logs/run1")
    model.fit(x, y, callbacks=[watch])
    watch.alerts  # what was told, in order
    ```

    Then `tensorboard --logdir logs` shows the tab NaNWatch.

    Statistics of each layer's outputs and their gradients, of weights (as the step leaves them) and their
    gradients, of inputs and targets, the loss and each variable's regularization penalty are computed
    inside the training step, compiled or not: at each of the first 100 steps of a `fit`, then at every
    `every`-th, and at once at a step whose loss, gradients or updated weights aren't finite, or whose loss
    or gradients have jumped. The loss is recorded at every step. Nothing of the training is changed, and
    the model is as it was when `fit` ends or raises.

    Args:
        log_dir: Directory that the event files go to; one for each run. Anything that `tf.io.gfile`
            can write.
        every: Interval in steps between samples after the first 100 steps. Default 10.
        thresholds: Numbers to judge by. Default `Thresholds()`.
        on_alert: Called with each `Alert` when it is told. An exception in it is logged and the
            training goes on.

    Attributes:
        alerts: list of `Alert`: what was told, in order.

    Raises:
        InvalidArgumentError: For an argument that can't be used.
        LogDirectoryError: When `fit` begins and `log_dir` can't be written.
        CallbackReuseError: When `fit` begins on another model than before; make one callback for each.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str],
        *,
        every: int = 10,
        thresholds: Thresholds | None = None,
        on_alert: Callable[[Alert], object] | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(log_dir, (str, os.PathLike)) or not os.fspath(log_dir):
            raise InvalidArgumentError(f"`log_dir` must be a path. Received: {log_dir!r}")
        if thresholds is not None and not isinstance(thresholds, Thresholds):
            raise InvalidArgumentError(f"`thresholds` must be a `tb_nanwatch.Thresholds`. Received: {thresholds!r}")
        if on_alert is not None and not callable(on_alert):
            raise InvalidArgumentError(f"`on_alert` must be callable with an `Alert`. Received: {on_alert!r}")
        self.alerts: list[Alert] = []
        self._log_dir = os.fspath(log_dir)
        self._schedule = Schedule(every=every)
        self._thresholds = thresholds or Thresholds()
        self._on_alert = on_alert
        self._guard = Guard()
        self._watched: keras.Model | None = None
        self._session: Session | None = None
        self._next_step = 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Weaves the instrument into the model's train function."""
        if self._watched is not None and self._watched is not self.model:
            raise CallbackReuseError(
                f"this NanWatch has watched the model {self._watched.name!r} and can't watch {self.model.name!r} too: "
                "their layers would mix in one log. Make a NanWatch with a `log_dir` of its own for each model"
            )
        self._end()
        replicas = self.model.distribute_strategy.num_replicas_in_sync
        if replicas > 1:
            self._guard.say("a training on several replicas", f"{replicas} replicas; one is supported so far")
            return
        optimizer = getattr(self.model, "optimizer", None)
        iterations = int(optimizer.iterations.numpy()) if optimizer is not None else 0
        self._session = Session(
            self.model,
            self._log_dir,
            self._schedule,
            self._thresholds,
            first_step=max(iterations, self._next_step),
            tell=self._tell,
        )
        self._watched = self.model

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Tells the train function that the next call is this training's."""
        if self._session is not None:
            self._session.arm()

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Reads what is left, closes the log and leaves the model as it was."""
        self._end()

    def _end(self) -> None:
        if self._session is not None:
            self._session.close()
            self._next_step = self._session.last_step + 1
            self._session = None

    def _tell(self, alert: Alert) -> None:
        self.alerts.append(alert)
        if self._on_alert is not None:
            with self._guard("what `on_alert` does with an alert"):
                self._on_alert(alert)
