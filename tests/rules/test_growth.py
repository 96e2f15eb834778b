import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import INPUT, LOSS, explain, gradient, history, judge, output, penalty, weight

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.severity import Severity, Status
from tb_nanwatch.model.site import Site
from tb_nanwatch.model.statistic import ABS_MAX
from tb_nanwatch.rules.growth import RULE

HIDDEN = output("hidden_2")
CONSTANT = [1.0] * 64


def powers(*exponents):
    return [2.0**exponent for exponent in exponents]


def found(series, steps=None, **numbers):
    return judge(RULE, history(series, steps), **numbers)


def test_growth_of_an_activation_is_told_at_its_third_sample():
    assert [len(found({HIDDEN: powers(*range(60, 60 + 2 * n, 2))})) for n in (1, 2, 3)] == [0, 0, 1]


@pytest.mark.parametrize("site", [LOSS, gradient("hidden_2"), weight("hidden_2"), penalty("hidden_2")])
def test_growth_of_what_batches_move_more_is_told_at_its_fourth_sample(site):
    assert [len(found({site: powers(*range(60, 60 + 2 * n, 2))})) for n in (2, 3, 4)] == [0, 0, 1]


@given(st.floats(1.0, 8.0), st.integers(4, 9), st.integers(1, 20))
def test_steady_growth_is_forecast_to_where_its_line_meets_the_largest_number(rate, count, gap):
    steps = [gap * index for index in range(count)]
    exponents = [100 - rate * gap * (count - 1 - index) / gap for index in range(count)]
    (finding,) = found({HIDDEN: powers(*exponents)}, steps, horizon=1e6)
    assert finding.forecast == pytest.approx(steps[-1] + 28 * gap / rate, abs=1.001)


@pytest.mark.parametrize("calm", [1, 3, 6, 20])
@pytest.mark.parametrize("growing", [3, 4, 5])
def test_the_onset_is_the_last_step_before_the_first_rise_or_one_sample_earlier(calm, growing):
    exponents = [0.0] * calm + [4.0 * index for index in range(1, growing + 1)]
    (finding,) = found({HIDDEN: powers(*exponents)})
    # A window of 6 or more bears one sample that doesn't rise.
    assert finding.onset in (calm - 1, calm - 2)


def test_a_finding_names_the_site_its_value_and_what_it_crossed():
    (finding,) = found({INPUT: CONSTANT, HIDDEN: powers(60, 62, 64)}, horizon=50)
    assert (finding.site, finding.statistic, finding.value, finding.threshold) == (1, "rms", 2.0**64, 50)


def test_growth_is_a_warning_and_makes_a_layer_diverge():
    (finding,) = found({HIDDEN: powers(60, 62, 64)})
    assert (finding.severity, RULE.status) == (Severity.WARNING, Status.DIVERGING)


def test_growth_is_counted_per_step_and_not_per_sample():
    series = {HIDDEN: powers(60, 62, 64)}
    assert found(series, steps=[0, 1, 2])
    assert not found(series, steps=[0, 10, 20])


@given(
    st.sampled_from([LOSS, gradient("hidden_2"), weight("hidden_2"), penalty("hidden_2")]),
    st.integers(1, 14),
    st.floats(10.0, 60.0),
    st.lists(st.floats(-0.1, 0.1), min_size=16, max_size=16),
)
def test_a_single_spike_is_no_trend(site, place, height, noise):
    bits = np.array(noise)
    bits[place] += height
    assert [found({site: powers(*bits[: count + 1])}) for count in range(16)] == [[]] * 16


@given(st.integers(1, 14), st.floats(1.0, 9.5), st.lists(st.floats(-0.1, 0.1), min_size=16, max_size=16))
def test_a_spike_of_activations_below_a_leap_is_no_trend(place, height, noise):
    bits = np.array(noise)
    bits[place] += height
    assert [found({HIDDEN: powers(*bits[: count + 1])}) for count in range(16)] == [[]] * 16


@pytest.mark.parametrize(
    "site",
    [
        weight("hidden_2", "bias", shape=(1024,)),
        gradient("hidden_2", "bias", shape=(1024,)),
        weight("norm", "moving_variance", shape=(1024,), trainable=False),
        INPUT,
    ],
    ids=lambda site: site.label,
)
def test_what_may_grow_at_will_is_not_told(site):
    assert not found({site: powers(60, 64, 68, 72, 76, 80)})


def test_a_leap_of_an_activation_is_told_at_once():
    (finding,) = found({INPUT: [1.0, 1.0], HIDDEN: [1.0, 1024.0]})
    assert (finding.site, finding.onset) == (1, 0)


def test_a_leap_is_forecast_by_its_own_rate():
    (finding,) = found({INPUT: [1.0, 1.0], HIDDEN: powers(0, 16)})
    assert finding.forecast == 1 + (128 - 16) / 16


def test_less_than_a_leap_is_not_told_at_once():
    assert not found({INPUT: [1.0, 1.0], HIDDEN: [1.0, 1023.0]})


def test_a_leap_of_the_inputs_explains_that_of_the_activations():
    assert not found({INPUT: [1.0, 1024.0], HIDDEN: [1.0, 1024.0]})


@pytest.mark.parametrize("site", [LOSS, gradient("hidden_2"), weight("hidden_2")], ids=lambda site: site.label)
def test_a_leap_of_anything_but_an_activation_is_not_told(site):
    assert not found({INPUT: [1.0, 1.0], site: powers(0, 40)})


def test_an_activation_that_leaves_zero_has_not_leapt():
    assert not found({INPUT: [1.0, 1.0], HIDDEN: [0.0, 1024.0]})


@pytest.mark.parametrize("largest", [np.nan, np.inf])
def test_a_leap_whose_largest_magnitude_is_not_known_raises_nothing(largest):
    # float32 in the log can't hold the largest magnitudes of a float64 layer, though it holds their rms.
    made = history({INPUT: [1.0, 1.0], output("hidden_2", "float64"): powers(0, 120)})
    made.values[-1, 1, ABS_MAX] = largest
    judge(RULE, made)


def test_the_forecast_is_for_the_sites_own_type():
    (finding,) = found({output("hidden_2", "float16"): powers(6, 8, 10)})
    assert finding.forecast == 2 + (16 - 10) / 2


def test_bfloat16_overflows_where_float32_does():
    assert not found({output("hidden_2", "bfloat16"): powers(6, 8, 10)})


def test_a_type_without_an_edge_is_not_told():
    assert not found({Site("ids", Kind.OUTPUT, dtype="int32"): powers(60, 64, 68, 72, 76)})


@given(st.floats(0.0, 2.4), st.integers(2, 30))
def test_a_slow_drift_far_from_the_edge_is_not_told(rate, count):
    # 128 bits are 40 steps away at 3.2 bits a step.
    exponents = [rate * index for index in range(min(count, 12))]
    assert not found({HIDDEN: powers(*exponents), LOSS: powers(*exponents)})


def test_noise_near_the_edge_is_not_told_before_it_has_risen():
    assert not found({output("hidden_2", "float16"): powers(13.0, 13.2, 13.4, 13.6, 13.8, 14.0)})


@pytest.mark.parametrize("count", [3, 5, 7])
def test_growth_that_has_turned_is_not_told(count):
    grown = range(60, 60 + 4 * count, 4)
    assert not found({HIDDEN: powers(*grown, grown[-1] - 1)})


def test_growth_that_has_slowed_down_between_sparse_samples_is_not_told():
    assert not found({HIDDEN: powers(100, 108, 109)}, steps=[0, 1, 41], horizon=1000)


def test_noise_near_the_edge_is_not_told_for_a_dip_before_it():
    assert not found({output("hidden_2", "float16"): powers(13.0, 10.0, 13.1, 13.2, 13.3)})


def test_decay_is_not_told():
    assert not found({HIDDEN: powers(*range(120, 60, -8))})


def test_a_value_that_is_not_finite_anymore_is_left_to_the_other_rule():
    assert not found({HIDDEN: [*powers(60, 80, 100), np.nan]})


def test_eight_samples_see_through_one_that_dips():
    assert found({LOSS: powers(60, 64, 68, 72, 76, 80, 78, 88)})


@pytest.mark.parametrize(
    ("numbers", "told"), [({"horizon": 31}, False), ({"horizon": 32}, True), ({"rise": 4}, True), ({"rise": 5}, False)]
)
def test_thresholds_of_the_trend_are_kept_to(numbers, told):
    assert bool(found({HIDDEN: powers(60, 62, 64)}, **numbers)) is told


@pytest.mark.parametrize(("leap", "told"), [(12, True), (13, False)])
def test_the_threshold_of_a_leap_is_kept_to(leap, told):
    assert bool(found({INPUT: [1.0, 1.0], HIDDEN: powers(0, 12)}, leap=leap)) is told


@pytest.mark.parametrize(("samples", "told"), [(4, True), (5, False)])
def test_the_threshold_of_samples_is_kept_to(samples, told):
    assert bool(found({HIDDEN: powers(60, 62, 64, 66)}, samples=samples)) is told


def test_the_trend_that_began_first_is_named_first_and_forward_before_backward():
    later = output("hidden_3")
    series = {
        later: powers(0, 0, 0, 4, 8, 12),
        gradient("hidden_1"): powers(0, 4, 8, 12, 16, 20),
        output("hidden_1"): powers(0, 4, 8, 12, 16, 20),
    }
    assert [finding.site for finding in found(series)] == [2, 1, 0]


def test_a_steady_training_is_not_told_however_long_it_is():
    assert not found({INPUT: CONSTANT, HIDDEN: CONSTANT, LOSS: CONSTANT})


def test_the_message_names_pace_onset_values_and_forecast():
    words = explain(RULE, history({HIDDEN: powers(60, 62, 64)}))
    assert words.message == (
        "`hidden_2` output doubles every 0.5 steps since step 0 (rms 1.15e+18 to 1.84e+19); "
        "float32 overflows at about step 34"
    )


def test_the_advice_is_to_lower_the_learning_rate():
    assert "learning rate" in explain(RULE, history({HIDDEN: powers(60, 62, 64)})).advice
