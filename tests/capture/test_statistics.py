"""Statistics in the graph against the reference, through a real step, plain and compiled."""

import hypothesis
import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import strategies as st

from tb_nanwatch.capture.statistics import careful_summary, raw_summaries
from tb_nanwatch.stats.summary import RAW, raw_summary

SHAPE = (3, 4)
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 3e38, -3e38, 1e-30, 1e20]
FINITE = st.floats(-(2.0**100), 2.0**100, width=32).filter(lambda x: x == 0 or abs(x) > 1e-30)


def step(compiled, function):
    return tf.function(function, jit_compile=compiled, autograph=False)


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "compiled"])
def measure(request):
    """Measures two arrays of one shape; traced once."""
    compiled = request.param
    function = step(compiled, lambda a, b: raw_summaries([a, b], compiled))
    return lambda a, b: function(tf.constant(a), tf.constant(b)).numpy()


def assert_equal_to_reference(measured, array):
    expected = raw_summary(array)
    names = dict(zip(RAW, range(len(RAW))))
    np.testing.assert_array_equal(measured[:3], expected[:3])
    np.testing.assert_array_equal(measured[[names["min"], names["max"]]], expected[[names["min"], names["max"]]])
    # Rounding is relative to the largest magnitude, of which mean and std are sums.
    magnitude = np.nanmax(np.abs(expected[5:])) if not np.isnan(expected[5]) else 1.0
    np.testing.assert_allclose(measured[3:5], expected[3:5], rtol=1e-5, atol=2e-6 * magnitude)


@hypothesis.settings(max_examples=150, deadline=None)
@hypothesis.given(
    hnp.arrays(np.float32, SHAPE, elements=st.one_of(FINITE, st.sampled_from(SPECIAL))),
    hnp.arrays(np.float32, SHAPE, elements=FINITE),
)
def test_statistics_are_numpys_whatever_stands_beside(measure, anything, finite):
    rows = measure(anything, finite)
    assert_equal_to_reference(rows[0], anything)
    assert_equal_to_reference(rows[1], finite)


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize(
    "array",
    [
        np.zeros((0, 3), np.float32),
        np.zeros((3, 0), np.float32),
        np.float32(7),
        np.full((2, 2), np.nan, np.float32),
        np.full((5,), 3e38, np.float32),
        np.linspace(-1, 1, 300 * 256, dtype=np.float32).reshape(300, 256),
        np.array([1, 2, 60000], np.float16),
    ],
    ids=["empty", "no columns", "scalar", "all nan", "huge", "large", "float16"],
)
def test_shapes_and_types_of_all_kinds(compiled, array):
    function = step(compiled, lambda x: raw_summaries([x], compiled))
    assert_equal_to_reference(function(tf.constant(array)).numpy()[0], array)


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_the_careful_way_gives_what_the_short_way_gives(compiled):
    array = np.random.default_rng(0).standard_normal((64, 130), dtype=np.float32)
    both = step(compiled, lambda x: tf.stack([careful_summary(x, compiled), raw_summaries([x], compiled)[0]]))
    careful, short = both(tf.constant(array)).numpy()
    np.testing.assert_allclose(careful, short, rtol=1e-5, atol=1e-6)
