import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import INPUT, explain, history, judge, output, weight

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.record import Record
from tb_nanwatch.model.site import Site
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.initial_scale import RULE, fan_in
from tb_nanwatch.stats.summary import raw_summary, statistics_from_raw

RELU = (lambda x: np.maximum(x, 0), 2.0)
LINEAR = (lambda x: x, 1.0)
TANH = (np.tanh, 1.0)
TARGET = Site("input", Kind.INPUT, "target")


def dense_net(widths, std, activation=RELU[0], input_scale=1.0, seed=0, targets=1.0, samples=1):
    """Samples of a real stack of dense layers with normal weights; `std` is a number or a function of the fans."""
    random = np.random.default_rng(seed)
    x = random.normal(0, input_scale, (64, widths[0]))
    measured = {INPUT: x, TARGET: np.full(64, targets)}
    for number, (fan, units) in enumerate(itertools.pairwise(widths), start=1):
        scale = std(fan, units) if callable(std) else std
        kernel = random.normal(0, scale, (fan, units))
        x = activation(x @ kernel)
        measured[output(f"hidden_{number}")] = x
        measured[weight(f"hidden_{number}", shape=(fan, units), drawn_std=float(kernel.std()))] = kernel
    made = History(list(measured))
    values = statistics_from_raw([raw_summary(array) for array in measured.values()])
    for step in range(samples):
        made.add(Record(step, values))
    return made


def test_a_stack_drawn_with_std_one_is_told_at_its_first_sample():
    (finding,) = judge(RULE, dense_net([784, 256, 64], std=1.0))
    assert (finding.site, finding.also, finding.onset) == (2, (4,), 0)


def test_the_value_is_what_the_layers_multiply_the_scale_by():
    made = dense_net([784, 256, 64], std=1.0)
    (finding,) = judge(RULE, made)
    assert finding.value == pytest.approx(made.values[0, 4, 0] / made.values[0, 0, 0])


def test_the_message_gives_hes_number_for_the_fan_in():
    message = explain(RULE, dense_net([784, 256, 64], std=1.0)).message
    assert message.endswith(f"He for its fan-in of 784 is {math.sqrt(2 / 784):.3g}")


def test_the_message_names_each_layer_and_what_it_was_drawn_with():
    message = explain(RULE, dense_net([784, 256, 64], std=1.0)).message
    assert "`hidden_1`, `hidden_2` hand on" in message
    assert "`hidden_1` was drawn with std 1" in message


def test_only_the_first_sample_is_judged():
    assert not judge(RULE, dense_net([784, 256, 64], std=1.0, samples=2))


@settings(max_examples=40)
@given(
    widths=st.lists(st.integers(8, 96), min_size=2, max_size=5),
    start=st.sampled_from(
        [lambda n, m: math.sqrt(2 / (n + m)), lambda n, m: math.sqrt(2 / n), lambda n, m: math.sqrt(1 / n)]
    ),
    activation=st.sampled_from([RELU[0], LINEAR[0], TANH[0]]),
    input_scale=st.sampled_from([1e-3, 1.0, 100.0]),
    seed=st.integers(0, 1000),
)
def test_starts_in_common_use_are_not_told(widths, start, activation, input_scale, seed):
    assert not judge(RULE, dense_net(widths, start, activation, input_scale, seed))


def test_one_wide_layer_alone_is_not_told():
    assert not judge(RULE, dense_net([784, 256, 64], std=lambda n, m: 4.0 if n == 784 else math.sqrt(2 / n)))


def test_wide_layers_are_told_behind_one_that_is_not():
    made = dense_net([784, 256, 256, 64], std=lambda n, m: math.sqrt(2 / n) if n == 784 else 1.0)
    (finding,) = judge(RULE, made)
    assert (finding.site, finding.also) == (4, (6,))


def test_large_weights_behind_a_squashing_function_are_not_told():
    assert not judge(RULE, dense_net([784, 256, 64], std=1.0, activation=TANH[0]))


def plain(outputs, kernel):
    """A sample of dense layers with 784 inputs each, from the rms of their outputs and the std of their kernels."""
    series = {INPUT: [1.0]}
    for number, size in enumerate(outputs, start=1):
        series |= {output(f"hidden_{number}"): [size], weight(f"hidden_{number}", drawn_std=kernel): [kernel]}
    return history(series)


def test_a_layer_that_hands_on_what_it_is_given_ends_the_run():
    assert judge(RULE, plain([10.0, 100.0], kernel=1.0))
    assert not judge(RULE, plain([100.0, 100.0], kernel=1.0))


def test_outputs_that_grow_although_the_kernels_are_narrow_are_not_told():
    assert not judge(RULE, plain([10.0, 100.0], kernel=0.05))


@pytest.mark.parametrize("targets", [1e-6, 1e6])
def test_the_scale_of_the_targets_does_not_matter(targets):
    assert judge(RULE, dense_net([784, 256, 64], std=1.0, targets=targets))


@pytest.mark.parametrize("numbers", [{"gain": 1000}, {"total": 1e6}])
def test_higher_thresholds_let_it_pass(numbers):
    assert not judge(RULE, dense_net([784, 256, 64], std=1.0), **numbers)


@pytest.mark.parametrize(
    ("layer_type", "shape", "expected"),
    [
        ("Dense", (784, 1024), 784),
        ("Conv2D", (3, 3, 16, 32), 144),
        ("Conv1D", (5, 8, 32), 40),
        ("DepthwiseConv2D", (3, 3, 16, 1), None),
        ("Conv2DTranspose", (3, 3, 16, 32), None),
        ("SeparableConv2D", (3, 3, 16, 1), None),
        ("EinsumDense", (64, 8, 16), None),
        ("Embedding", (10_000, 64), None),
        ("Dense", (1024,), None),
        ("Dense", (), None),
    ],
)
def test_the_fan_in_is_the_number_of_inputs_summed_up_for_one_output(layer_type, shape, expected):
    assert fan_in(Site("layer", Kind.WEIGHT, "kernel", shape=shape, layer_type=layer_type)) == expected


def test_only_weights_have_a_fan_in():
    assert fan_in(output("hidden_1")) is None


def test_an_embedding_is_no_layer_that_multiplies_a_scale():
    ids = Site("input", Kind.INPUT, "ids", dtype="int32")
    embedding = Site("tokens", Kind.WEIGHT, "embeddings", shape=(10_000, 64), layer_type="Embedding")
    tokens, dense, kernel = output("tokens"), output("dense"), weight("dense", shape=(64, 64))
    made = History([ids, tokens, embedding, dense, kernel])
    ones = np.ones(64)
    measured = [ones, 100 * ones, 100 * ones, 10_000 * ones, 100 * ones]
    made.add(Record(0, statistics_from_raw([raw_summary(array) for array in measured])))
    assert not judge(RULE, made)
