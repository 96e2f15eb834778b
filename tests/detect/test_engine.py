import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import INPUT, LOSS, gradient, output, penalty, record, weight

from tb_nanwatch.detect.engine import Engine
from tb_nanwatch.model.severity import Status
from tb_nanwatch.rules.thresholds import Thresholds

SITES = (INPUT, output("hidden_1"), weight("hidden_1"), gradient("hidden_1"), penalty("hidden_1"), output("out"), LOSS)
CALM = [1.0, 1.0, 1.0, 1.0, 0.01, 1.0, 1.0]
UNKNOWN, HEALTHY, WATCH, DIVERGING, NONFINITE = (int(status) for status in Status)


def calm(step):
    return record(step, CALM)


def growing(step, since=0):
    """One layer grows sixteenfold at each step from `since` on."""
    size = 16.0 ** (step - since)
    return record(step, [1.0, 1.0, 1.0, 1.0, 0.01, size, 1.0])


def bad(step, *sites):
    return record(step, CALM, [float(site in sites) for site in SITES])


def feed(*records, thresholds=None, **more):
    """The engine that has judged records, and its statuses."""
    engine = Engine(SITES, thresholds)
    return engine, [engine.feed(each, **more).tolist() for each in records]


def rules_told(engine):
    return [(alert.step, alert.rule) for alert in engine.alerts]


@st.composite
def trainings(draw):
    """Records of a training that may grow, jump, spoil and recover."""
    count = draw(st.integers(1, 60))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    steps = np.cumsum(random.integers(1, 4, count))
    moves = random.choice([0.0, 0.0, 0.0, 3.0, 5.0, 12.0, -8.0, -20.0], (count, len(SITES)), p=[1 / 8] * 8)
    bits = np.clip(np.cumsum(moves, axis=0), -100, 120)
    counts = random.choice([0.0, 0.0, 1.0, np.nan], (count, len(SITES)), p=[0.9, 0.05, 0.02, 0.03])
    return [record(int(step), 2.0**size, count) for step, size, count in zip(steps, bits, counts)]


def without_seen(alerts):
    return [dataclasses.replace(alert, seen=0) for alert in alerts]


@settings(max_examples=40)
@given(trainings(), st.data())
def test_records_give_the_same_alerts_and_statuses_in_whatever_chunks_they_arrive(records, data):
    whole, statuses = feed(*records)

    chunked = Engine(SITES)
    taken = []
    while len(taken) < len(records):
        start, size = len(taken), data.draw(st.integers(1, 20))
        # A reader may hand on again what it has handed on before.
        overlap = data.draw(st.integers(0, start))
        chunk = records[start - overlap : start + size]
        judged = [chunked.feed(each, seen=chunk[-1].step).tolist() for each in chunk]
        taken += judged[overlap:]

    assert without_seen(chunked.alerts) == without_seen(whole.alerts)
    assert taken == statuses


@settings(max_examples=40)
@given(trainings(), st.randoms(use_true_random=False))
def test_steps_out_of_order_raise_nothing(records, random):
    random.shuffle(records)
    feed(*records)


@settings(max_examples=40)
@given(trainings())
def test_a_training_begun_anew_is_not_told_again(records):
    once, _ = feed(*records)
    twice, _ = feed(*records, *records)
    assert twice.alerts == once.alerts


@settings(max_examples=40)
@given(trainings())
def test_no_alert_is_of_a_step_after_it_was_seen(records):
    engine, _ = feed(*records)
    assert all(alert.step <= alert.seen for alert in engine.alerts)


def test_a_sample_that_repeats_a_step_is_of_unknown_status():
    _, statuses = feed(calm(0), calm(0))
    assert statuses[1] == [UNKNOWN] * 4


def test_layers_stand_in_forward_order():
    assert Engine(SITES).layers == ("input", "hidden_1", "out", "loss")


def test_a_calm_training_is_healthy_and_told_of_by_no_alert():
    engine, statuses = feed(*map(calm, range(100)))
    assert engine.alerts == []
    assert statuses == [[HEALTHY] * 4] * 100


def test_a_layer_that_was_not_measured_is_of_unknown_status():
    _, statuses = feed(record(0, CALM, [0, 0, 0, 0, 0, np.nan, 0]))
    assert statuses == [[HEALTHY, HEALTHY, UNKNOWN, HEALTHY]]


def test_a_layer_is_measured_when_any_of_its_sites_is():
    _, statuses = feed(record(0, CALM, [0, np.nan, np.nan, 0, np.nan, 0, 0]))
    assert statuses == [[HEALTHY] * 4]


def test_a_layer_that_grows_diverges_and_the_others_are_healthy():
    _, statuses = feed(*map(growing, range(4)))
    assert statuses[-1] == [HEALTHY, HEALTHY, DIVERGING, HEALTHY]


def test_every_layer_with_a_bad_value_is_nonfinite():
    _, statuses = feed(bad(0, SITES[5], LOSS))
    assert statuses == [[HEALTHY, HEALTHY, NONFINITE, NONFINITE]]


def test_the_gravest_finding_of_a_layer_is_its_status():
    newest = growing(3)
    newest.values[5, -1] = 1.0
    _, statuses = feed(*map(growing, range(3)), newest)
    assert statuses[-1] == [HEALTHY, HEALTHY, NONFINITE, HEALTHY]


def test_information_leaves_a_layer_healthy():
    negligible = [1.0, 1.0, 1.0, 1.0, 1e-9, 1.0, 1.0]
    engine, statuses = feed(*(record(step, negligible) for step in range(3)))
    assert [(alert.rule, alert.severity) for alert in engine.alerts] == [("penalty_share", "info")]
    assert statuses[-1] == [HEALTHY] * 4


def test_all_layers_of_a_finding_are_watched():
    wide = weight("hidden_1", shape=(784, 64), drawn_std=1.0)
    next_wide = weight("out", shape=(64, 64), drawn_std=1.0)
    engine = Engine((INPUT, output("hidden_1"), wide, output("out"), next_wide, LOSS))
    statuses = engine.feed(record(0, [1.0, 28.0, 1.0, 224.0, 1.0, 1.0]))
    assert statuses.tolist() == [HEALTHY, WATCH, WATCH, HEALTHY]


def test_growth_is_told_once_while_it_goes_on():
    engine, _ = feed(*map(growing, range(12)))
    assert rules_told(engine) == [(2, "growth")]


def test_growth_is_told_again_after_a_quiet_time():
    calm_again = map(calm, range(4, 30))
    engine, _ = feed(*map(growing, range(4)), *calm_again, *(growing(step, since=30) for step in range(30, 34)))
    assert rules_told(engine) == [(2, "growth"), (32, "growth")]


def test_a_bad_value_is_told_once_while_it_lasts():
    engine, _ = feed(calm(0), *(bad(step, LOSS) for step in range(1, 20)))
    assert rules_told(engine) == [(1, "nonfinite")]


def test_a_rule_that_is_off_says_nothing():
    engine, statuses = feed(*map(growing, range(6)), thresholds=Thresholds(growth=False))
    assert engine.alerts == []
    assert statuses[-1] == [HEALTHY] * 4


def test_thresholds_are_kept_to():
    engine, _ = feed(*map(growing, range(6)), thresholds=Thresholds(growth={"horizon": 5}))
    assert engine.alerts == []


def test_an_alert_is_seen_at_its_own_step_by_default():
    engine, _ = feed(*map(growing, range(4)))
    assert engine.alerts[0].seen == 2


def test_an_alert_is_seen_when_the_host_knew():
    engine, _ = feed(*map(growing, range(4)), seen=12)
    assert (engine.alerts[0].step, engine.alerts[0].seen) == (2, 12)


def test_an_alert_of_growth_is_complete():
    engine, _ = feed(*map(growing, range(4)))
    (alert,) = engine.alerts
    told = (alert.severity, alert.layer, alert.phase, alert.statistic, alert.value, alert.threshold)
    assert told == ("warning", "out", "forward", "rms", 256.0, 40.0)
    assert (alert.onset, alert.forecast, alert.source) == (0, 32, None)


@pytest.mark.parametrize(("layers", "ending"), [(1, "step 32"), (2, "(and 1 more layer)"), (4, "(and 3 more layers)")])
def test_an_alert_counts_the_other_layers(layers, ending):
    engine = Engine([output(f"hidden_{number}") for number in range(layers)])
    for step in range(3):
        engine.feed(record(step, [16.0**step] * layers))
    assert engine.alerts[0].message.endswith(ending)


def test_an_alert_of_a_bad_value_names_its_place_of_birth_and_where_it_spread():
    engine, _ = feed(calm(0), bad(1, SITES[5], LOSS, SITES[3]))
    (alert,) = engine.alerts
    assert (alert.step, alert.severity, alert.layer, alert.phase, alert.onset) == (1, "critical", "out", "forward", 1)
    assert alert.message == (
        "the first non-finite value was born at step 1 in the forward pass of `out` output: 1 element; "
        "it spread to `hidden_1/kernel` gradient, `loss`"
    )


def test_an_alert_of_a_bad_value_names_three_places_downstream_and_counts_the_rest():
    engine, _ = feed(bad(0, *SITES))
    assert engine.alerts[0].message.endswith(
        "it spread to `hidden_1` output, `hidden_1/kernel` weight, `hidden_1/kernel` gradient and 3 more"
    )


def test_an_alert_of_a_bad_value_names_just_three_places_downstream_without_a_rest():
    engine, _ = feed(bad(0, *SITES[:4]))
    assert engine.alerts[0].message.endswith("`hidden_1/kernel` weight, `hidden_1/kernel` gradient")


def test_a_bad_update_is_told_of_the_step_that_made_it():
    engine, _ = feed(calm(0), calm(1), bad(2, SITES[2]))
    (alert,) = engine.alerts
    assert (alert.step, alert.seen, alert.phase, alert.layer) == (2, 2, "update", "hidden_1")


@pytest.mark.parametrize("sites", [(), (LOSS,)])
def test_a_training_with_hardly_a_site_is_judged(sites):
    engine = Engine(sites)
    statuses = [engine.feed(record(step, [1.0] * len(sites))) for step in range(5)] if sites else []
    assert engine.alerts == []
    assert all(each.dtype == np.uint8 for each in statuses)
