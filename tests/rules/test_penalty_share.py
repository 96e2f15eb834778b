import numpy as np
import pytest
from support import LOSS, explain, history, judge, output, penalty

from tb_nanwatch.model.severity import Severity
from tb_nanwatch.rules.history import WINDOW
from tb_nanwatch.rules.penalty_share import RULE

FIRST, SECOND = penalty("hidden_1"), penalty("hidden_2")


def found(penalties, losses, **numbers):
    return judge(RULE, history({FIRST: penalties, LOSS: losses}), **numbers)


def test_dominance_from_the_start_is_told_at_the_third_sample():
    told = [len(found([95.0] * count, [100.0] * count)) for count in (1, 2, 3)]
    assert told == [0, 0, 1]


def test_dominance_is_a_warning_with_the_share_and_its_onset():
    (finding,) = found([95.0] * 3, [100.0] * 3)
    assert (finding.severity, finding.value, finding.threshold, finding.onset) == (Severity.WARNING, 0.95, 0.9, 0)


def test_dominance_from_the_start_goes_on_being_found():
    assert found([95.0] * 20, [100.0] * 20)


@pytest.mark.parametrize("losses", [[100.0, 100.0, 52.0], [52.0, 100.0, 52.0], [100.0, 52.0, 100.0, 52.0]])
def test_a_single_batch_with_a_tiny_loss_is_no_finding(losses):
    assert not found([50.0] * len(losses), losses)


def test_half_of_the_loss_is_usual():
    assert not found([50.0] * 5, [100.0] * 5)


def test_penalties_that_grow_above_the_share_later_are_told():
    grown = [10.0, 20.0, 40.0, 80.0, 160.0, 320.0]
    assert found(grown, [amount + 5 for amount in grown])


def test_a_share_that_dominates_late_while_it_falls_is_left_alone():
    losses = [100.0, 50.0, 25.0, 12.0, 10.5, 10.4, 10.3]
    falling = [10.0, 10.0, 9.9, 9.9, 9.9, 9.8, 9.8]
    assert not found(falling, losses)


def test_dominance_that_falls_is_left_alone_once_its_start_is_out_of_sight():
    count = WINDOW + 1
    assert not found(np.linspace(100, 50, count), np.linspace(100, 50, count) * 1.05)


def test_the_penalties_of_all_layers_count_together_and_the_largest_is_named():
    (finding,) = judge(RULE, history({FIRST: [45.0] * 3, SECOND: [50.0] * 3, LOSS: [100.0] * 3}))
    assert finding.site == 1


def test_a_penalty_too_small_for_an_effect_is_told_as_information():
    (finding,) = found([1e-9] * 3, [1.0] * 3)
    assert (finding.severity, finding.site, finding.threshold) == (Severity.INFO, 0, 1e-7)


def test_a_penalty_of_nothing_is_not_told():
    assert not found([0.0] * 3, [1.0] * 3)


@pytest.mark.parametrize("loss", [-1.0, 0.0, np.nan, np.inf])
def test_a_share_of_a_loss_that_is_not_positive_and_finite_says_nothing(loss):
    assert not found([95.0] * 3, [loss] * 3)


@pytest.mark.parametrize("amount", [np.nan, np.inf])
def test_penalties_that_are_not_finite_say_nothing(amount):
    assert not found([amount] * 3, [100.0] * 3)


def test_a_loss_smaller_than_its_own_part_says_nothing():
    assert not found([150.0] * 3, [100.0] * 3)


def test_a_loss_that_is_all_penalty_is_told():
    assert found([100.0] * 3, [100.0] * 3)


def test_a_model_without_penalties_is_not_judged():
    assert not judge(RULE, history({output("hidden_1"): [1.0] * 5, LOSS: [1.0] * 5}))


def test_a_training_whose_loss_is_not_measured_is_not_judged():
    assert not judge(RULE, history({FIRST: [1.0] * 5}))


@pytest.mark.parametrize(
    ("numbers", "told"),
    [({"maximum": 0.4}, True), ({"minimum": 0.6}, True), ({"maximum": 0.4, "samples": 4}, False)],
)
def test_thresholds_are_kept_to(numbers, told):
    assert bool(found([50.0] * 3, [100.0] * 3, **numbers)) is told


def test_the_message_names_share_variable_and_amount():
    words = explain(RULE, history({FIRST: [95.0] * 3, LOSS: [100.0] * 3}))
    assert words.message == "the penalties are 95.0% of the loss; the largest is `hidden_1/kernel` with 95"


def test_the_message_of_a_penalty_without_effect_names_it_and_its_share():
    message = explain(RULE, history({FIRST: [1e-9] * 3, LOSS: [1.0] * 3})).message
    assert message == "the penalty of `hidden_1/kernel` is 1e-09 of the loss: too small to have an effect"
