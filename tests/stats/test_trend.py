import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tb_nanwatch.stats.trend import log2_magnitude, nan_median, theil_sen_slope

NUMBERS = st.integers(-1000, 1000).map(float)
STEPS = st.lists(st.integers(0, 100_000), min_size=2, max_size=12, unique=True).map(sorted).map(np.array)
SERIES = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 9), st.integers(1, 4)),
    elements=st.floats(-1e300, 1e300) | st.just(np.nan),
)


@given(STEPS, NUMBERS, NUMBERS)
def test_the_slope_of_a_line_is_its_slope(steps, slope, height):
    assert theil_sen_slope(steps, (height + slope * steps)[:, None])[0] == pytest.approx(slope, rel=1e-9, abs=1e-9)


@given(st.integers(5, 10), st.data(), NUMBERS, st.floats(-1e200, 1e200))
def test_one_wild_point_in_a_line_leaves_its_slope(count, data, slope, wild):
    steps = np.arange(count)
    line = slope * steps
    line[data.draw(st.integers(0, count - 1))] = wild
    assert theil_sen_slope(steps, line[:, None])[0] == pytest.approx(slope, abs=1e-9)


@given(st.integers(3, 10), st.data(), NUMBERS)
def test_a_missing_point_leaves_the_slope(count, data, slope):
    steps = np.arange(count)
    line = slope * steps
    line[data.draw(st.integers(0, count - 1))] = np.nan
    assert theil_sen_slope(steps, line[:, None])[0] == slope


def test_slopes_are_per_step_and_not_per_point():
    assert theil_sen_slope([0, 10, 30], [[0.0], [5.0], [15.0]])[0] == 0.5


def test_each_series_has_a_slope_of_its_own():
    series = np.array([[0.0, 7.0, np.nan], [1.0, 5.0, np.nan], [2.0, 3.0, np.nan]])
    np.testing.assert_array_equal(theil_sen_slope([0, 1, 2], series), [1.0, -2.0, np.nan])


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_points_have_no_slope(count):
    np.testing.assert_array_equal(theil_sen_slope(np.arange(count), np.ones((count, 2))), [np.nan, np.nan])


def test_one_point_beside_missing_ones_has_no_slope():
    assert np.isnan(theil_sen_slope([0, 1, 2], [[np.nan], [1.0], [np.nan]])[0])


@given(SERIES.filter(lambda series: not np.isnan(series).all(axis=0).any()))
def test_the_median_is_numpys(series):
    np.testing.assert_allclose(nan_median(series), np.nanmedian(series, axis=0), rtol=1e-12, atol=1e-12)


def test_the_median_of_nothing_is_nan_and_no_warning():
    assert np.isnan(nan_median(np.full((3, 1), np.nan))[0])


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_median_of_one_infinity_is_that_infinity(count, value):
    assert nan_median(np.full((count, 1), value))[0] == value


@given(st.integers(-1074, 1023), st.sampled_from([1.0, -1.0]))
def test_the_binary_logarithm_of_a_power_of_two_is_its_exponent(exponent, sign):
    assert log2_magnitude([sign * 2.0**exponent])[0] == exponent


@pytest.mark.parametrize("value", [0.0, -0.0, np.nan, np.inf, -np.inf])
def test_zero_and_what_is_not_finite_have_no_magnitude(value):
    assert np.isnan(log2_magnitude([value])[0])
