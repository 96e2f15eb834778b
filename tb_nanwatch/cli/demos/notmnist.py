"""A classifier of letters with two hidden layers that goes NaN within some ten steps.

After a question by somebody whose net reached 96 % with one hidden layer and NaN with two: weights are
drawn with standard deviation 1 whatever the fan-in, plain SGD starts at 0.5, and the L2 term adds the
first layer's penalty once for each layer and never the others'.
"""

from __future__ import annotations

import keras

from tb_nanwatch.callback import NanWatch
from tb_nanwatch.cli.demos import Result
from tb_nanwatch.cli.demos.letters import LETTERS, make_letters

_L2 = 0.00025
_BATCH = 256
_TRAINING, _TEST = 8192, 2048


def make_model(fixed: bool) -> keras.Model:
    """The compiled net, failing or fixed."""
    wide = keras.initializers.TruncatedNormal(stddev=1.0)
    layers = keras.layers

    def dense(units: int, name: str, activation: str | None = "relu", times: int = 0) -> keras.layers.Layer:
        times = 1 if fixed else times
        return layers.Dense(
            units,
            activation,
            kernel_initializer="he_normal" if fixed else wide,
            kernel_regularizer=keras.regularizers.L2(times * _L2) if times else None,
            name=name,
        )

    model = keras.Sequential(
        [
            keras.Input((784,)),
            dense(1024, "hidden_1", times=3),
            layers.Dropout(0.5, name="dropout_1"),
            dense(300, "hidden_2"),
            layers.Dropout(0.5, name="dropout_2"),
            dense(len(LETTERS), "logits", activation=None),
        ],
        name="notmnist",
    )
    rate = 0.05 if fixed else keras.optimizers.schedules.ExponentialDecay(0.5, 32, 0.96, staircase=True)
    model.compile(
        keras.optimizers.SGD(rate),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def train(log_dir: str, fixed: bool) -> Result:
    """Trains under watch; the failing version for one epoch of 32 steps, the fixed one for 25."""
    keras.utils.set_random_seed(0)
    x, y = make_letters(_TRAINING, seed=1)
    model = make_model(fixed)
    watch = NanWatch(log_dir)
    model.fit(x, y, batch_size=_BATCH, epochs=25 if fixed else 1, verbose=0, callbacks=[watch])
    loss, accuracy = model.evaluate(*make_letters(_TEST, seed=2), batch_size=_BATCH, verbose=0)
    return Result(
        alerts=tuple(watch.alerts),
        steps=int(model.optimizer.iterations.numpy()),
        summary=f"On letters it has not seen: loss {loss:.3g}, accuracy {accuracy:.1%}.",
    )
