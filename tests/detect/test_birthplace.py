import numpy as np
import pytest
from support import INPUT, LOSS, gradient, output, penalty, record, weight

from tb_nanwatch.detect.birthplace import BIRTH_WORDS, find_birthplace
from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.site import Site
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.nonfinite import RULE
from tb_nanwatch.rules.rule import PHASE_OF_KIND

MOVING = weight("norm", "moving_mean", shape=(64,), trainable=False)
FIRST, SECOND = output("hidden_1"), output("hidden_2")
SITES = (
    INPUT,
    FIRST,
    weight("hidden_1"),
    gradient("hidden_1"),
    gradient("hidden_1", "bias", shape=(1024,)),
    penalty("hidden_1"),
    output("norm"),
    MOVING,
    SECOND,
    weight("hidden_2"),
    gradient("hidden_2"),
    gradient("hidden_2", "bias", shape=(1024,)),
    penalty("hidden_2"),
    LOSS,
)
GRADIENTS = [site for site in SITES if site.kind.value == "gradient"]


def born(*bad, before=(), first_sample=False, sites=SITES):
    """Where the first bad value was born, given the sites that are bad at step 9 (and, before that, at step 8)."""
    history = History(sites)
    if not first_sample:
        history.add(record(8, [1.0] * len(sites), [float(site in before) for site in sites]))
    history.add(record(9, [1.0] * len(sites), [float(site in bad) for site in sites]))
    place = find_birthplace(history, RULE.judge(history, {}))
    return place.phase, sites[place.site].label, place.step


def test_bad_data_come_before_all_they_spoil():
    assert born(*SITES) == ("data", "`input/x`", 9)


def test_weights_behind_finite_gradients_were_spoilt_by_the_update_of_that_step():
    assert born(weight("hidden_1")) == ("update", "`hidden_1/kernel` weight", 9)


def test_the_first_of_several_spoilt_weights_is_named():
    assert born(weight("hidden_1"), weight("hidden_2"))[1] == "`hidden_1/kernel` weight"


def test_weights_that_a_bad_step_has_spoilt_are_not_to_blame():
    assert born(weight("hidden_1"), FIRST, LOSS)[0] == "forward"
    assert born(weight("hidden_1"), *GRADIENTS)[0] == "backward"


def test_a_bad_gradient_of_an_output_was_made_by_the_layer_that_uses_it():
    first, second = (Site(each.layer, Kind.OUTPUT_GRADIENT) for each in (FIRST, SECOND))
    sites = (FIRST, first, SECOND, second, LOSS)
    assert born(first, sites=sites)[:2] == ("backward", second.label)


def test_a_bad_gradient_of_the_last_output_was_made_by_the_loss():
    second = Site(SECOND.layer, Kind.OUTPUT_GRADIENT)
    assert born(second, sites=(FIRST, SECOND, second, LOSS))[:2] == ("backward", LOSS.label)


@pytest.mark.parametrize(("bad", "first"), [([FIRST, SECOND], FIRST), ([SECOND], SECOND)])
def test_forward_the_first_layer_in_order_is_named(bad, first):
    assert born(*bad, LOSS, *GRADIENTS) == ("forward", first.label, 9)


def test_a_penalty_comes_before_the_loss_that_holds_it():
    assert born(penalty("hidden_2"), LOSS, *GRADIENTS) == ("loss", "`hidden_2/kernel` penalty", 9)


def test_a_loss_of_finite_outputs_is_born_in_the_loss():
    assert born(LOSS, *GRADIENTS) == ("loss", "`loss`", 9)


def test_backward_the_last_layer_in_order_comes_first():
    assert born(*GRADIENTS) == ("backward", "`hidden_2/kernel` gradient", 9)


def test_backward_an_earlier_layer_is_named_when_the_later_ones_are_finite():
    assert born(*GRADIENTS[:2]) == ("backward", "`hidden_1/kernel` gradient", 9)


def test_moving_statistics_come_last():
    assert born(MOVING, GRADIENTS[0])[:2] == ("backward", "`hidden_1/kernel` gradient")


def test_moving_statistics_alone_are_spoilt_in_the_forward_pass():
    assert born(MOVING) == ("forward", "`norm/moving_mean` weight", 9)


def test_a_scaled_gradient_is_never_the_place_nor_downstream():
    scaled = gradient("hidden_2", scaled=True)
    sites = (INPUT, gradient("hidden_1"), scaled, LOSS)
    history = History(sites)
    history.add(record(9, [1.0] * 4, [0.0, 1.0, 1.0, 0.0]))
    place = find_birthplace(history, RULE.judge(history, {}))
    assert (sites[place.site], place.downstream) == (gradient("hidden_1"), ())


def test_all_else_that_is_bad_is_downstream_in_forward_order():
    history = History(SITES)
    history.add(record(0, [1.0] * len(SITES), [float(site in (FIRST, SECOND, LOSS)) for site in SITES]))
    place = find_birthplace(history, RULE.judge(history, {}))
    assert place.downstream == ("`hidden_2` output", "`loss`")


def test_there_are_words_for_every_phase():
    assert set(BIRTH_WORDS) == set(PHASE_OF_KIND.values())


def test_a_site_that_was_not_measured_is_not_bad():
    history = History(SITES)
    history.add(record(0, [1.0] * len(SITES), [np.nan] * (len(SITES) - 1) + [1.0]))
    assert find_birthplace(history, RULE.judge(history, {})).downstream == ()
