"""`NanWatch` in real trainings."""

import logging
import os
import pickle
import subprocess
import sys
import textwrap

import keras
import numpy as np
import pytest
import tensorflow as tf

import tb_nanwatch
from tb_nanwatch import CallbackReuseError, InvalidArgumentError, LogDirectoryError, NanWatch, Thresholds
from tb_nanwatch.capture.train_function import WovenTrainFunction

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])


@pytest.fixture(autouse=True)
def _fresh():
    keras.utils.set_random_seed(0)
    yield
    keras.backend.clear_session()
    keras.mixed_precision.set_global_policy("float32")


def make_model(compiled=False, rate=0.01, **more):
    regularizer = keras.regularizers.L2(0.01)
    model = keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.Dense(8, "relu", name="hidden", kernel_regularizer=regularizer),
            keras.layers.BatchNormalization(name="norm"),
            keras.layers.Dense(2, name="out"),
        ]
    )
    model.compile(keras.optimizers.SGD(rate), "mse", jit_compile=compiled, **more)
    return model


def make_data(count=320):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((count, 6)).astype("float32")
    return x, x[:, :2] * 3


def read_run(log_dir):
    """What the log holds, read with TensorBoard's own reader."""
    from tensorboard.backend.event_processing import plugin_event_accumulator
    from tensorboard.util import tensor_util

    from tb_nanwatch.events.reader import Event, RunLog
    from tb_nanwatch.plugin.run_view import view_run

    accumulator = plugin_event_accumulator.EventAccumulator(str(log_dir), tensor_size_guidance={"nanwatch": 0})
    accumulator.Reload()
    log = RunLog()
    for tag in accumulator.PluginTagToContent("nanwatch"):
        events = [Event(e.step, tensor_util.make_ndarray(e.tensor_proto)) for e in accumulator.Tensors(tag)]
        log.take(tag, accumulator.SummaryMetadata(tag).plugin_data.content, events)
    assert not log.problems
    return view_run(log.in_order())


def column(view, label, statistic="rms"):
    (site,) = [index for index, site in enumerate(view.sites) if site.label == label]
    return view.values[:, site, tb_nanwatch.model.statistic.STATISTICS.index(statistic)]


def is_untouched(model):
    attributes = {"train_step", "call", "compute_loss"}
    return (
        not isinstance(model.train_function, WovenTrainFunction)
        and not attributes & set(vars(model))
        and not any("call" in vars(layer) for layer in model.layers)
        and "apply" not in vars(model.optimizer)
    )


@COMPILED
def test_what_is_recorded_is_what_was_trained(tmp_path, compiled):
    model = make_model(compiled)
    x, y = make_data(32)
    kernel, bias = (np.array(v) for v in model.get_layer("hidden").get_weights())
    out = model.get_layer("out").get_weights()[0]
    model.fit(x, y, batch_size=32, epochs=1, verbose=0, callbacks=[NanWatch(tmp_path)])

    view = read_run(tmp_path)
    hidden = np.maximum(x @ kernel + bias, 0)
    assert view.steps.tolist() == [0]
    np.testing.assert_allclose(column(view, "`hidden` output"), np.sqrt(np.mean(hidden**2)), rtol=1e-5)
    np.testing.assert_allclose(column(view, "`hidden` output", "zero_fraction"), np.mean(hidden == 0), rtol=1e-5)
    # Weights are recorded as the step leaves them.
    updated = model.get_layer("hidden").get_weights()[0]
    np.testing.assert_allclose(column(view, "`hidden/kernel` weight", "abs_max"), np.abs(updated).max(), rtol=1e-6)
    (site,) = [each for each in view.sites if each.label == "`out/kernel` weight"]
    np.testing.assert_allclose(site.drawn_std, out.std(), rtol=1e-5)
    np.testing.assert_allclose(column(view, "`hidden/kernel` penalty"), 0.01 * np.sum(kernel**2), rtol=1e-5)
    np.testing.assert_allclose(column(view, "`input/target`"), np.sqrt(np.mean(y**2)), rtol=1e-5)


@COMPILED
def test_gradients_are_those_that_moved_the_weights(tmp_path, compiled):
    model = make_model(compiled, rate=0.5)
    x, y = make_data(32)
    before = model.get_layer("out").get_weights()[0]
    model.fit(x, y, batch_size=32, epochs=1, verbose=0, callbacks=[NanWatch(tmp_path)])
    moved = (before - model.get_layer("out").get_weights()[0]) / 0.5
    view = read_run(tmp_path)
    np.testing.assert_allclose(column(view, "`out/kernel` gradient"), np.sqrt(np.mean(moved**2)), rtol=1e-4)


@COMPILED
def test_gradients_of_outputs_are_those_of_the_loss(tmp_path, compiled):
    model = make_model(compiled)
    x, y = make_data(32)
    predictions = model(x, training=True).numpy()
    model.fit(x, y, batch_size=32, epochs=1, verbose=0, callbacks=[NanWatch(tmp_path)])
    expected = 2 * (predictions - y) / y.size
    view = read_run(tmp_path)
    np.testing.assert_allclose(column(view, "`out` output gradient"), np.sqrt(np.mean(expected**2)), rtol=1e-4)


@keras.saving.register_keras_serializable("tests")
class RootOfDifference(keras.layers.Layer):
    """Its derivative is infinite where both inputs are the same."""

    def call(self, inputs):
        return keras.ops.sqrt(keras.ops.sum(keras.ops.square(inputs[0] - inputs[1]), axis=-1, keepdims=True))


@COMPILED
def test_the_layer_whose_backward_pass_makes_the_first_nan_is_named(tmp_path, compiled):
    left, right = keras.Input((6,), name="left"), keras.Input((6,), name="right")
    tower = keras.layers.Dense(4, name="tower")
    distance = RootOfDifference(name="distance")([tower(left), tower(right)])
    model = keras.Model({"left": left, "right": right}, keras.layers.Dense(1, name="out")(distance))
    model.compile("sgd", "mse", jit_compile=compiled)
    x, y = make_data(80)
    other = x[::-1].copy()
    other[50] = x[50]
    watch = NanWatch(tmp_path)
    model.fit({"left": x, "right": other}, y[:, :1], batch_size=8, shuffle=False, verbose=0, callbacks=[watch])
    (alert,) = [each for each in watch.alerts if each.rule == "nonfinite"]
    assert (alert.step, alert.phase, alert.layer) == (6, "backward", "distance")


def test_every_step_at_first_then_every_nth_and_the_loss_always(tmp_path):
    model = make_model()
    losses = []

    class Losses(keras.callbacks.Callback):
        def on_train_batch_begin(self, batch, logs=None):
            self.model.reset_metrics()

        def on_train_batch_end(self, batch, logs=None):
            losses.append(logs["loss"])

    model.fit(*make_data(), batch_size=2, epochs=1, verbose=0, callbacks=[NanWatch(tmp_path, every=20), Losses()])
    view = read_run(tmp_path)
    assert view.steps.tolist() == [*range(100), 100, 120, 140]
    assert view.trail_steps.tolist() == list(range(160))
    np.testing.assert_allclose(view.trail_loss, losses, rtol=1e-5)
    assert len(set(column(view, "`loss`").tolist())) > 50


def test_layers_stand_in_forward_order_with_their_whole_path(tmp_path):
    block = keras.Sequential([keras.layers.Dense(4, name="first"), keras.layers.Dense(4, name="second")], name="block")
    shared = keras.layers.Dense(4, name="shared")
    inputs = keras.Input((6,))
    outputs = keras.layers.Dense(2, name="head")(shared(shared(block(keras.layers.Dense(4, name="stem")(inputs)))))
    model = keras.Model(inputs, outputs)
    model.compile("sgd", "mse")
    model.fit(*make_data(32), verbose=0, callbacks=[NanWatch(tmp_path)])
    wanted = ("input", "stem", "block/first", "block/second", "shared", "shared#2", "head", "loss")
    assert read_run(tmp_path).layers == wanted


class Subclassed(keras.Model):
    def __init__(self):
        super().__init__(name="mine")
        self.blocks = [keras.layers.Dense(4, name="a"), keras.layers.Dense(2, name="b")]

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return keras.ops.exp(x)


def test_a_subclassed_model_that_is_not_built_yet_is_recorded_and_its_own_arithmetic_too(tmp_path):
    model = Subclassed()
    model.compile("sgd", "mse")
    model.fit(*make_data(32), verbose=0, callbacks=[NanWatch(tmp_path)])
    assert read_run(tmp_path).layers == ("input", "a", "b", "mine", "loss")


@COMPILED
def test_a_runaway_is_warned_of_and_its_end_named_at_the_very_step(tmp_path, compiled):
    model = make_model(compiled, rate=30.0)
    first = []

    class Truth(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            if not all(np.isfinite(w).all() for w in self.model.get_weights()):
                first.append(batch)

    watch = NanWatch(tmp_path)
    model.fit(*make_data(640), batch_size=8, verbose=0, callbacks=[watch, Truth()])
    born = [alert for alert in watch.alerts if alert.rule == "nonfinite"]
    assert len(born) == 1
    assert born[0].step == first[0]
    assert born[0].severity == "critical"
    assert any(alert.severity == "warning" and alert.seen < born[0].step for alert in watch.alerts)
    assert [alert.message for alert in read_run(tmp_path).alerts] == [alert.message for alert in watch.alerts]


def test_a_bad_value_between_two_samples_is_recorded_whole_at_its_own_step(tmp_path):
    x, y = make_data(1600)
    x[8 * 137 + 3, 2] = np.nan
    watch = NanWatch(tmp_path, every=50)
    model = make_model()
    model.fit(x, y, batch_size=8, shuffle=False, verbose=0, callbacks=[watch])
    (alert,) = watch.alerts
    assert (alert.step, alert.phase, alert.layer, alert.value) == (137, "data", "input", 1.0)
    assert 137 in read_run(tmp_path).steps


def test_a_penalty_out_of_proportion_is_told(tmp_path):
    model = keras.Sequential(
        [keras.Input((6,)), keras.layers.Dense(2, name="out", kernel_regularizer=keras.regularizers.L2(100.0))]
    )
    model.compile(keras.optimizers.SGD(1e-6), "mse")
    watch = NanWatch(tmp_path)
    model.fit(*make_data(), verbose=0, callbacks=[watch])
    assert [(alert.rule, alert.layer) for alert in watch.alerts] == [("penalty_share", "out")]
    quiet = NanWatch(tmp_path / "quiet", thresholds=Thresholds(penalty_share=False))
    model.fit(*make_data(), verbose=0, callbacks=[quiet])
    assert quiet.alerts == []


@COMPILED
def test_the_training_is_the_same_with_and_without(tmp_path, compiled):
    def weights(callbacks):
        keras.utils.set_random_seed(1)
        model = make_model(compiled)
        model.fit(*make_data(), batch_size=8, epochs=2, verbose=0, callbacks=callbacks)
        return model.get_weights()

    for mine, plain in zip(weights([NanWatch(tmp_path)]), weights([])):
        if compiled:
            np.testing.assert_allclose(mine, plain, rtol=1e-4, atol=1e-6)
        else:
            np.testing.assert_array_equal(mine, plain)


@COMPILED
def test_the_model_is_as_it_was_when_the_training_ends(tmp_path, compiled):
    model = make_model(compiled)
    model.fit(*make_data(), verbose=0, callbacks=[NanWatch(tmp_path)])
    assert is_untouched(model)
    model.save(tmp_path / "model.keras")
    assert keras.models.clone_model(model).count_params() == model.count_params()
    assert pickle.loads(pickle.dumps(model)).count_params() == model.count_params()


def test_the_model_is_as_it_was_when_a_step_raises(tmp_path):
    def batches():
        yield make_data(8)
        raise OSError("the disk has gone")

    model = make_model()
    data = tf.data.Dataset.from_generator(batches, output_signature=(tf.TensorSpec((8, 6)), tf.TensorSpec((8, 2))))
    with pytest.raises(tf.errors.OpError):
        model.fit(data, verbose=0, shuffle=False, callbacks=[NanWatch(tmp_path)])
    assert is_untouched(model)
    assert read_run(tmp_path).steps.tolist() == [0]


def test_a_training_that_another_callback_broke_off_is_left_at_the_next_use(tmp_path):
    class Breaks(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            if batch == 3:
                raise RuntimeError("enough")

    model = make_model()
    with pytest.raises(RuntimeError, match="enough"):
        model.fit(*make_data(), verbose=0, callbacks=[NanWatch(tmp_path), Breaks()])
    model.train_on_batch(*make_data(8))
    assert is_untouched(model)
    assert read_run(tmp_path).steps.tolist() == [0, 1, 2, 3]


def test_a_second_fit_goes_on_where_the_first_ended(tmp_path):
    model = make_model()
    watch = NanWatch(tmp_path)
    for _ in range(2):
        model.fit(*make_data(80), batch_size=8, verbose=0, callbacks=[watch])
    assert read_run(tmp_path).steps.tolist() == list(range(20))


def test_one_callback_for_two_models_is_refused_before_anything_is_woven(tmp_path):
    watch = NanWatch(tmp_path)
    make_model().fit(*make_data(32), verbose=0, callbacks=[watch])
    other = make_model()
    with pytest.raises(CallbackReuseError, match="Make a NanWatch with a `log_dir` of its own"):
        other.fit(*make_data(32), verbose=0, callbacks=[watch])
    assert is_untouched(other)


def test_a_directory_that_can_not_be_written_is_refused_before_anything_is_woven(tmp_path):
    (tmp_path / "file").write_text("")
    model = make_model()
    with pytest.raises(LogDirectoryError, match=r"can't write to the log directory .*file/logs"):
        model.fit(*make_data(32), verbose=0, callbacks=[NanWatch(tmp_path / "file" / "logs")])
    assert is_untouched(model)
    model.fit(*make_data(32), verbose=0)


def test_a_model_that_is_not_compiled_gets_keras_own_words(tmp_path):
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(2)])
    with pytest.raises(ValueError, match="call `compile"):
        model.fit(*make_data(32), verbose=0, callbacks=[NanWatch(tmp_path)])
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"log_dir": ""}, "`log_dir` must be a path. Received: ''"),
        ({"log_dir": 3}, "`log_dir` must be a path. Received: 3"),
        ({"log_dir": "x", "every": 0}, "`every` must be a whole number of steps, at least 1. Received: 0"),
        ({"log_dir": "x", "thresholds": {"growth": 1}}, "must be a `tb_nanwatch.Thresholds`"),
        ({"log_dir": "x", "on_alert": "print"}, "`on_alert` must be callable"),
    ],
)
def test_an_argument_that_can_not_be_used_is_quoted(arguments, words):
    with pytest.raises(InvalidArgumentError, match=words.replace("(", r"\(")):
        NanWatch(**arguments)


def test_on_alert_is_called_and_may_fail(tmp_path, caplog):
    seen = []

    def on_alert(alert):
        seen.append(alert.rule)
        raise RuntimeError("the pager is broken")

    model = make_model(rate=30.0)
    with caplog.at_level(logging.WARNING, "tb_nanwatch"):
        model.fit(*make_data(640), batch_size=8, verbose=0, callbacks=[NanWatch(tmp_path, on_alert=on_alert)])
    assert "nonfinite" in seen
    assert len([text for text in caplog.messages if "the pager is broken" in text]) == 1


def test_a_layer_that_can_not_be_measured_is_said_once_and_the_training_goes_on(tmp_path, monkeypatch, caplog):
    from tb_nanwatch.capture.step_trace import StepTrace

    observe = StepTrace.observe

    def broken(self, site, tensor):
        if site.layer == "norm":
            raise NotImplementedError("no such tensor")
        return observe(self, site, tensor)

    monkeypatch.setattr(StepTrace, "observe", broken)
    model = make_model()
    model.fit(*make_data(32), verbose=0, callbacks=[NanWatch(tmp_path)])
    assert [text for text in caplog.messages if "layer 'norm' is not recorded" in text]
    assert "out" in read_run(tmp_path).layers


def test_a_log_that_can_not_be_written_any_more_does_not_stop_the_training(tmp_path, monkeypatch, caplog):
    from tb_nanwatch.capture.sink import SummarySink

    def full(self, tag, value, step, metadata):
        raise tf.errors.ResourceExhaustedError(None, None, "No space left on device")

    monkeypatch.setattr(SummarySink, "__call__", full)
    model = make_model()
    watch = NanWatch(tmp_path)
    history = model.fit(*make_data(), verbose=0, epochs=2, callbacks=[watch])
    assert len(history.epoch) == 2
    assert len([text for text in caplog.messages if "a sample in the log is not recorded" in text]) == 1


@pytest.mark.parametrize("more", [{"run_eagerly": True}, {"steps_per_execution": 4}], ids=["eager", "4 steps a call"])
def test_steps_are_exact_however_they_are_run(tmp_path, more):
    model = make_model(**more)
    model.fit(*make_data(32 * 12), verbose=0, epochs=2, callbacks=[NanWatch(tmp_path)])
    view = read_run(tmp_path)
    assert view.steps.tolist() == list(range(24))
    assert view.trail_steps.tolist() == list(range(24))


def test_an_overflow_under_a_loss_scale_is_by_design(tmp_path):
    keras.mixed_precision.set_global_policy("mixed_float16")
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(2, dtype="float32")])
    optimizer = keras.optimizers.LossScaleOptimizer(keras.optimizers.Adam(1e-3), initial_scale=2.0**26)
    model.compile(optimizer, "mse", jit_compile=False)
    watch = NanWatch(tmp_path)
    model.fit(*make_data(), batch_size=8, verbose=0, callbacks=[watch])
    view = read_run(tmp_path)
    bad = view.values[:, [site.scaled for site in view.sites], -1]
    assert (bad > 0).any()
    assert watch.alerts == []
    assert view.verdict.status.word == "healthy"


def test_recurrent_embedded_and_convolutional_nets_are_recorded(tmp_path):
    layers = keras.layers
    tokens = keras.Input((12,), dtype="int32")
    hidden = layers.Embedding(50, 8, name="embedding")(tokens)
    hidden = layers.Bidirectional(layers.LSTM(6, return_sequences=True), name="both")(hidden)
    hidden = layers.GlobalMaxPooling1D(name="pool")(layers.Conv1D(4, 3, name="conv")(hidden))
    model = keras.Model(tokens, layers.Dense(2, name="out")(hidden))
    model.compile("adam", "mse")
    x = np.random.default_rng(0).integers(0, 50, (64, 12))
    watch = NanWatch(tmp_path)
    model.fit(x, np.ones((64, 2)), verbose=0, callbacks=[watch])
    view = read_run(tmp_path)
    measured = {site.label for site, values in zip(view.sites, view.values[0]) if np.isfinite(values[0])}
    for label in ("`embedding` output", "`embedding/embeddings` gradient", "`both` output", "`conv/kernel` gradient"):
        assert label in measured
    assert sum("lstm_cell/recurrent_kernel` gradient" in label for label in measured) == 2
    assert watch.alerts == []


def test_several_inputs_and_outputs_have_their_names(tmp_path):
    left, right = keras.Input((3,), name="left"), keras.Input((3,), name="right")
    joined = keras.layers.Concatenate(name="joined")([left, right])
    heads = {name: keras.layers.Dense(1, name=name)(joined) for name in ("policy", "value")}
    model = keras.Model({"left": left, "right": right}, heads)
    model.compile("sgd", {"policy": "mse", "value": "mae"})
    x, y = make_data(32)
    model.fit(
        {"left": x[:, :3], "right": x[:, 3:]},
        {"policy": y[:, :1], "value": y[:, 1:]},
        verbose=0,
        callbacks=[NanWatch(tmp_path)],
    )
    inputs = {site.name for site in read_run(tmp_path).sites if site.layer == "input"}
    assert inputs == {"left", "right", "target/policy", "target/value"}


def test_a_strategy_of_several_replicas_is_left_alone_and_said(tmp_path):
    script = f"""
        import keras, numpy as np, tensorflow as tf
        from tb_nanwatch import NanWatch
        (cpu,) = tf.config.list_physical_devices("CPU")
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
        with tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]).scope():
            model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(2)])
            model.compile("sgd", "mse")
        x = np.ones((64, 6), "float32")
        history = model.fit(x, x[:, :2], verbose=0, epochs=2, callbacks=[NanWatch({str(tmp_path)!r})])
        print("epochs", len(history.epoch))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False)
    assert "epochs 2" in done.stdout, done.stderr
    assert "a training on several replicas is not recorded (2 replicas; one is supported so far)" in done.stderr
