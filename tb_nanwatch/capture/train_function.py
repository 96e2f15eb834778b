"""A model's train function with the instrument woven in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from tb_nanwatch.capture.guard import Guard
from tb_nanwatch.capture.recorder import Recorder
from tb_nanwatch.capture.shadow import shadowed
from tb_nanwatch.capture.weave import woven


class WovenTrainFunction:
    """Stands in for `model.train_function` during one `fit`.

    `fit` reads that attribute at each step and traces lazily, and Keras itself throws it away and
    makes it anew whenever it likes: nothing else of the model is replaced beyond a trace. `fit` doesn't
    tell callbacks when it raises, so the function takes itself out when a step raises, and when it is
    called without the callback having announced the step (`arm`): then an earlier `fit` broke off
    elsewhere, in another callback say, and this call belongs to somebody else.
    """

    def __init__(
        self,
        model: keras.Model,
        recorder: Recorder,
        guard: Guard,
        after_call: Callable[[], None],
        on_error: Callable[[], None],
    ) -> None:
        """Makes the woven function and puts it in.

        Args:
            model: A compiled model.
            recorder: Takes what the steps show.
            guard: Keeps failures of the instrument from the training.
            after_call: Called on the host after each call that went well.
            on_error: Called when a step raised, before the exception goes on its way.
        """
        self._model = model
        self._recorder = recorder
        self._guard = guard
        self._after_call = after_call
        self._on_error = on_error
        self._previous = model.train_function
        self._armed = False
        self._step = self._woven_step()
        self._function = self._make()
        model.train_function = self

    def arm(self) -> None:
        """Announces a step of the training that this function was made for."""
        self._armed = True

    def remove(self) -> None:
        """Puts the model's own train function back."""
        if self._model.train_function is self:
            self._model.train_function = self._previous

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the steps of one call of `fit`'s loop."""
        if not self._armed:
            self.remove()
            self._on_error()
            self._model.make_train_function()
            return self._model.train_function(*args, **kwargs)
        self._armed = False
        try:
            # Some versions of Keras look `train_step` up when they make the function, some when they trace it.
            with shadowed(self._model, "train_step", self._step):
                logs = self._function(*args, **kwargs)
        except (StopIteration, tf.errors.OutOfRangeError):
            # How `fit` learns that its data has come to an end.
            raise
        except BaseException:
            self.remove()
            self._on_error()
            raise
        self._after_call()
        return logs

    def _make(self) -> Callable[..., Any]:
        """Has Keras make a train function around our step, and leaves the model as it was."""
        with shadowed(self._model, "train_step", self._step):
            self._model.make_train_function(force=True)
        function: Callable[..., Any] = self._model.train_function
        self._model.train_function = self._previous
        return function

    def _woven_step(self) -> Callable[..., Any]:
        own_step = self._model.train_step

        def train_step(data: Any) -> Any:
            trace = self._recorder.trace()
            with woven(self._model, trace, self._guard):
                outputs = own_step(data)
            with self._guard("the step"):
                self._recorder.commit(trace)
            return outputs

        unconverted: Callable[..., Any] = tf.autograph.experimental.do_not_convert(train_step)
        return unconverted
