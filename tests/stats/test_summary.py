import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tb_nanwatch.model.statistic import STATISTICS
from tb_nanwatch.stats.summary import RAW, raw_summary, statistics_from_raw

ODD = [0.0, -0.0, 5e-324, -1e-310, 1e-45, 1.0, -1.0, 3e38, -3e38, 1e300, -1e300, np.nan, np.inf, -np.inf]
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6)
ANY = hnp.arrays(np.float64, SHAPES, elements=st.sampled_from(ODD) | st.floats(-1e300, 1e300))
MODERATE = hnp.arrays(np.float64, st.integers(1, 50), elements=st.floats(-1e30, 1e30))
FLOAT32 = hnp.arrays(np.float32, SHAPES, elements=st.floats(width=32))


def statistics(array):
    return dict(zip(STATISTICS, statistics_from_raw(raw_summary(array)), strict=True))


@given(ANY)
def test_raw_numbers_agree_with_numpy(array):
    raw = dict(zip(RAW, raw_summary(array), strict=True))

    finite = array[np.isfinite(array)]
    assert raw["finite_count"] == finite.size
    assert raw["nonfinite_count"] == array.size - finite.size
    assert raw["zero_count"] == (finite == 0).sum()
    if finite.size:
        size = np.abs(finite).max()
        assert (raw["min"], raw["max"]) == (finite.min(), finite.max())
        assert raw["mean"] == pytest.approx(np.mean(finite / 64) * 64, rel=1e-9, abs=1e-9 * size + 1e-320)


@given(hnp.arrays(np.float64, st.integers(1, 40), elements=st.floats(-1e100, 1e100)))
def test_the_standard_deviation_is_that_of_the_population(array):
    size = np.abs(array).max()
    # NumPy squares without scaling, which underflows below 1e-150.
    assert statistics(array)["std"] == pytest.approx(np.std(array), rel=1e-9, abs=1e-9 * size + 1e-150)


@given(MODERATE)
def test_the_norm_is_numpys(array):
    assert statistics(array)["norm"] == pytest.approx(np.linalg.norm(array), rel=1e-9, abs=1e-150)


@given(ANY)
def test_the_rms_never_exceeds_the_largest_magnitude(array):
    made = statistics(array)
    assert np.isnan(made["rms"]) or made["rms"] <= made["abs_max"]


@given(ANY)
def test_the_zero_fraction_is_a_fraction(array):
    fraction = statistics(array)["zero_fraction"]
    assert np.isnan(fraction) or 0 <= fraction <= 1


@given(MODERATE)
def test_the_norm_is_the_rms_times_the_root_of_the_number_of_elements(array):
    made = statistics(array)
    assert made["norm"] == pytest.approx(made["rms"] * np.sqrt(array.size), rel=1e-12)


@given(MODERATE, st.lists(st.sampled_from([np.nan, np.inf, -np.inf]), min_size=1, max_size=5))
def test_elements_that_are_not_finite_leave_the_finite_statistics_as_they_were(array, bad):
    mixed = np.concatenate([array, bad])
    np.testing.assert_array_equal(list(statistics(mixed).values())[:-1], list(statistics(array).values())[:-1])


@given(MODERATE, st.lists(st.sampled_from([np.nan, np.inf, -np.inf]), max_size=5))
def test_elements_that_are_not_finite_are_counted(array, bad):
    assert statistics(np.concatenate([array, bad]))["nonfinite_count"] == len(bad)


@given(MODERATE, st.integers(-200, 200))
def test_a_power_of_two_scales_all_but_the_counts(array, exponent):
    scaled, plain = statistics(np.ldexp(array, exponent)), statistics(array)
    for name in ("rms", "norm", "mean", "std", "min", "max", "abs_max"):
        expected = np.ldexp(plain[name], exponent)
        assert scaled[name] == pytest.approx(expected, rel=1e-9, abs=1e-9 * scaled["abs_max"] + 1e-320), name


@given(MODERATE)
def test_order_does_not_matter_to_extremes_and_counts(array):
    chosen = ("min", "max", "abs_max", "zero_fraction")
    forward, backward = statistics(array), statistics(array[::-1])
    assert [forward[name] for name in chosen] == [backward[name] for name in chosen]


@given(ANY)
def test_no_array_makes_numpy_warn(array):
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        statistics(array)


@given(FLOAT32)
def test_raw_numbers_in_float32_derive_a_norm_beyond_float32s_range(array):
    raw = raw_summary(array).astype(np.float32)
    norm = statistics_from_raw(raw)[STATISTICS.index("norm")]
    assert np.isnan(norm) or np.isfinite(norm)


@given(FLOAT32)
@example(np.array([0.1, -0.1, 0.1], np.float32))
def test_raw_numbers_rounded_to_float32_keep_the_rms_below_the_largest_magnitude(array):
    made = dict(zip(STATISTICS, statistics_from_raw(raw_summary(array).astype(np.float32)), strict=True))
    assert np.isnan(made["rms"]) or made["rms"] <= made["abs_max"]


@pytest.mark.parametrize("array", [[], np.zeros((0, 3))], ids=["no elements", "no rows"])
def test_an_empty_array_has_nothing_but_a_count(array):
    np.testing.assert_array_equal(list(statistics(array).values()), [np.nan] * (len(STATISTICS) - 1) + [0.0])


def test_an_array_without_a_finite_element_has_nothing_but_a_count():
    made = list(statistics([np.nan, np.inf, -np.inf]).values())
    np.testing.assert_array_equal(made, [np.nan] * (len(STATISTICS) - 1) + [3.0])


def test_raw_numbers_of_no_finite_element_are_not_taken_for_measurements():
    derived = statistics_from_raw([0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(derived, [np.nan] * (len(STATISTICS) - 1) + [3.0])


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_the_norm_of_numbers_whose_squares_leave_the_range_is_a_number(size):
    assert statistics([size, -size, size, size])["norm"] == pytest.approx(2 * size)


def test_a_scalar_is_its_own_mean_and_extremes():
    made = statistics(np.float32(-2.5))
    assert [made[name] for name in ("rms", "norm", "mean", "std", "min", "max", "abs_max")] == [
        2.5,
        2.5,
        -2.5,
        0.0,
        -2.5,
        -2.5,
        2.5,
    ]


def test_minus_zero_counts_as_zero():
    assert statistics([-0.0, 1.0])["zero_fraction"] == 0.5


def test_what_was_not_measured_is_nan_throughout():
    assert np.isnan(statistics_from_raw([-1.0, 0, 0, 0, 0, 0, 0])).all()


def test_sites_are_derived_each_for_itself():
    arrays = [np.array([3.0, -4.0]), np.array([np.nan]), np.array([0.0, 1.0, 2.0])]
    raws = [raw_summary(array) for array in arrays]
    not_measured = [-1.0, *[0.0] * 6]
    together = statistics_from_raw([[*raws, not_measured]])
    apart = [[*(statistics_from_raw(raw) for raw in raws), statistics_from_raw(not_measured)]]
    np.testing.assert_array_equal(together, apart)
