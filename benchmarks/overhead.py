"""What the callback costs: mean step time of `fit` with it against without, in one run, interleaved.

    python benchmarks/overhead.py [--repeats 5] [--steps 400]

Each repeat trains the same net without and with `NanWatch` in turn, each in a `fit` of its own; a step's
time is taken from batch begin to batch end. The first steps, which trace and compile, are left out.
Printed are medians over the repeats, as ratios of means within a repeat: for the first 100 steps, which
are all measured, for the steps after them, every 10th of which is, and for a training of 1,000 steps,
put together from these two.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np

from tb_nanwatch import NanWatch

_WARM_UP = 5
_DENSE = 100


class StepTimes(keras.callbacks.Callback):
    """Seconds of each step."""

    def __init__(self):
        super().__init__()
        self.seconds = []

    def on_train_batch_begin(self, batch, logs=None):
        self._begin = time.perf_counter()

    def on_train_batch_end(self, batch, logs=None):
        self.seconds.append(time.perf_counter() - self._begin)


def mlp(compiled):
    model = keras.Sequential(
        [keras.Input((1024,))] + [keras.layers.Dense(1024, "relu") for _ in range(3)] + [keras.layers.Dense(1024)]
    )
    model.compile(keras.optimizers.SGD(0.01), "mse", jit_compile=compiled)
    return model


def step_seconds(model, data, steps, watched):
    times = StepTimes()
    with tempfile.TemporaryDirectory() as log_dir:
        callbacks = [NanWatch(log_dir), times] if watched else [times]
        model.fit(
            *data,
            batch_size=256,
            epochs=-(-steps // (len(data[0]) // 256)),
            verbose=0,
            shuffle=False,
            callbacks=callbacks,
        )
    return np.array(times.seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args()
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    data = [rng.standard_normal((256 * 20, 1024), dtype=np.float32) for _ in range(2)]
    print("4 x Dense(1024), batch 256, SGD; step time with NanWatch / without")
    print(f"{'':10s} {'without':>10s} {'first 100':>10s} {'after':>10s} {'of 1,000':>10s}   (per repeat, of 1,000)")
    for compiled in (False, True):
        models = [mlp(compiled), mlp(compiled)]
        plain_ms, rows = [], []
        for _ in range(options.repeats):
            plain, watched = (step_seconds(model, data, options.steps, on) for model, on in zip(models, (False, True)))
            base = plain[_WARM_UP:].mean()
            dense = watched[_WARM_UP:_DENSE].mean() / base
            sparse = watched[_DENSE:].mean() / base
            plain_ms.append(1e3 * base)
            rows.append((dense, sparse, 0.1 * dense + 0.9 * sparse))
        medians = [statistics.median(column) for column in zip(*rows)]
        each = " ".join(f"{row[2]:.3f}" for row in rows)
        label = "compiled" if compiled else "plain"
        print(
            f"{label:10s} {statistics.median(plain_ms):7.2f} ms "
            + " ".join(f"{ratio:10.3f}" for ratio in medians)
            + f"   ({each})",
            flush=True,
        )


if __name__ == "__main__":
    main()
