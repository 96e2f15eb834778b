import doctest
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tb_nanwatch import InvalidArgumentError, Thresholds
from tb_nanwatch.rules import thresholds as module
from tb_nanwatch.rules.catalog import RULES

SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        rule.id: st.booleans()
        | st.fixed_dictionaries({}, optional={each.name: st.floats(each.minimum, 1e300) for each in rule.thresholds})
        for rule in RULES
    },
)


def test_without_arguments_every_rule_is_on_and_has_its_defaults():
    made = Thresholds()
    assert all(made.is_on(rule.id) for rule in RULES)
    assert {rule.id: made[rule.id] for rule in RULES} == {
        rule.id: {each.name: each.default for each in rule.thresholds} for rule in RULES
    }


def test_what_is_set_changes_and_all_else_stays():
    made = Thresholds(growth={"horizon": 20})
    assert made["growth"] == {**Thresholds()["growth"], "horizon": 20.0}
    assert made["penalty_share"] == Thresholds()["penalty_share"]


@given(SETTINGS)
def test_thresholds_as_a_dict_make_the_same_thresholds_again(settings):
    made = Thresholds(**settings)
    assert Thresholds(**made.as_dict()) == made


@given(SETTINGS)
def test_thresholds_as_a_dict_say_which_rules_are_off(settings):
    said = Thresholds(**settings).as_dict()
    assert {rule for rule, numbers in said.items() if numbers is False} == {
        rule for rule, given in settings.items() if given is False
    }


@given(SETTINGS)
def test_the_representation_makes_the_same_thresholds_again(settings):
    made = Thresholds(**settings)
    assert eval(repr(made), {"Thresholds": Thresholds}) == made


def test_two_objects_do_not_share_their_numbers():
    Thresholds(growth={"horizon": 20})
    assert Thresholds()["growth"]["horizon"] == 40


def test_other_numbers_are_other_thresholds():
    assert Thresholds(growth={"horizon": 20}) != Thresholds()


def test_false_switches_a_rule_off():
    assert not Thresholds(growth=False).is_on("growth")


def test_true_leaves_a_rule_on():
    assert Thresholds(growth=True) == Thresholds()


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({"growht": {}}, "no rule 'growht'; did you mean 'growth'?"),
        ({"initial": False}, "did you mean 'initial_scale'?"),
        ({"growth": {"horizn": 3}}, "rule 'growth' has no threshold 'horizn'; did you mean 'horizon'?"),
        ({"zzz": {}}, "there are nonfinite, initial_scale, growth, penalty_share"),
        ({"growth": {"zzz": 3}}, "there are horizon, rise, leap, samples"),
        ({"nonfinite": {"zzz": 3}}, "there are none"),
        ({"growth": {3: 3}}, "has no threshold 3"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_that_exists(arguments, hint):
    with pytest.raises(InvalidArgumentError, match=re.escape(hint)):
        Thresholds(**arguments)


@pytest.mark.parametrize("value", [True, False, math.nan, math.inf, -math.inf, "20", None, [20]])
def test_a_value_that_is_no_finite_number_is_refused_and_quoted(value):
    with pytest.raises(InvalidArgumentError, match=re.escape(f"must be a finite number. Received: {value!r}")):
        Thresholds(growth={"horizon": value})


def test_a_number_beyond_floats_is_refused():
    with pytest.raises(InvalidArgumentError, match=r"growth\.horizon must be a finite number"):
        Thresholds(growth={"horizon": 10**400})


@pytest.mark.parametrize(
    ("rule", "threshold"),
    [pytest.param(rule.id, each, id=f"{rule.id}.{each.name}") for rule in RULES for each in rule.thresholds],
)
def test_a_value_below_the_minimum_is_refused_and_quoted(rule, threshold):
    below = threshold.minimum - 0.5
    expected = f"threshold {rule}.{threshold.name} must be at least {threshold.minimum:g}. Received: {below!r}"
    with pytest.raises(InvalidArgumentError, match=re.escape(expected)):
        Thresholds(**{rule: {threshold.name: below}})


@pytest.mark.parametrize("given", [3, "off", None, [("horizon", 3)]])
def test_what_is_neither_a_mapping_nor_false_is_refused_and_quoted(given):
    with pytest.raises(InvalidArgumentError, match=re.escape(f"Received: {given!r}")):
        Thresholds(growth=given)


def test_a_float_of_numpy_is_a_number():
    assert Thresholds(growth={"horizon": np.float64(20)})["growth"]["horizon"] == 20


def test_a_rule_named_self_is_an_unknown_rule_like_any_other():
    with pytest.raises(InvalidArgumentError, match="there is no rule 'self'"):
        Thresholds(self=False)


def test_the_example_in_the_docstring_runs():
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0
