"""What holds for every rule, whichever it is."""

import inspect
import itertools
import pathlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import INPUT, LOSS, gradient, output, penalty, weight

from tb_nanwatch.model.record import Record
from tb_nanwatch.model.severity import Status
from tb_nanwatch.model.site import Site
from tb_nanwatch.model.statistic import STATISTICS
from tb_nanwatch.rules.catalog import RULES
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.rule import PHASE_OF_KIND
from tb_nanwatch.rules.thresholds import Thresholds

SITES = (
    INPUT,
    output("hidden_1"),
    weight("hidden_1"),
    weight("hidden_1", "bias", shape=(1024,)),
    gradient("hidden_1"),
    penalty("hidden_1"),
    output("hidden_2", dtype="float16"),
    weight("hidden_2"),
    gradient("hidden_2", scaled=True),
    penalty("hidden_2"),
    LOSS,
)
EVERY_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
EVERY_THRESHOLD = pytest.mark.parametrize(
    ("rule", "threshold"),
    [pytest.param(rule, each, id=f"{rule.id}.{each.name}") for rule in RULES for each in rule.thresholds],
)
SAMPLES = {
    "nan": [np.nan] * 4,
    "zero": [0.0] * 4,
    "one": [1.0] * 4,
    "smallest": [1e-45] * 4,
    "largest": [3e38] * 4,
    "infinite": [np.inf] * 4,
    "minus infinite": [-np.inf] * 4,
    "from smallest to largest": [1e-45, 1e-20, 1.0, 3e38],
    "from largest to smallest": [3e38, 1.0, 1e-20, 1e-45],
    "from one to infinity": [1.0, 1e30, np.inf, np.inf],
    "from one to nan": [1.0, 1e30, np.nan, np.nan],
    "back from nan": [np.nan, np.nan, 1.0, 1e30],
}


def judge_all(rule, sites, arrays, steps=None):
    """Every finding and its explanation, with the rule's defaults; NumPy's own warnings are errors."""
    made = History(sites)
    found = []
    with np.errstate(over="warn", invalid="warn", divide="warn"):
        for index, array in enumerate(arrays):
            made.add(Record(index if steps is None else steps[index], array))
            findings = rule.judge(made, Thresholds()[rule.id])
            found += [(finding, rule.explain(made, finding)) for finding in findings]
    return found


def test_ids_are_unique():
    assert len({rule.id for rule in RULES}) == len(RULES)


@EVERY_RULE
def test_a_rule_lives_in_the_file_of_its_name(rule):
    assert pathlib.Path(inspect.getfile(rule.judge)).stem == rule.id


def test_every_rule_has_a_test_file_of_its_own():
    here = pathlib.Path(__file__).parent
    assert [rule.id for rule in RULES if not (here / f"test_{rule.id}.py").is_file()] == []


@EVERY_RULE
def test_a_rule_says_in_one_sentence_what_it_sees(rule):
    assert rule.summary.endswith(".")
    assert len(rule.summary) > 20


@EVERY_RULE
def test_a_rule_makes_a_layer_worse_than_healthy(rule):
    assert rule.status > Status.HEALTHY


@EVERY_RULE
def test_the_defaults_are_accepted_as_thresholds(rule):
    defaults = {each.name: each.default for each in rule.thresholds}
    assert Thresholds(**{rule.id: defaults}) == Thresholds()


@EVERY_RULE
def test_the_names_of_a_rules_thresholds_are_unique(rule):
    assert len({each.name for each in rule.thresholds}) == len(rule.thresholds)


@EVERY_THRESHOLD
def test_a_threshold_says_what_it_counts_what_it_means_and_where_its_default_comes_from(rule, threshold):
    assert all(len(text) > 3 for text in (threshold.unit, threshold.meaning, threshold.source))


@EVERY_RULE
@pytest.mark.parametrize("name", SAMPLES)
def test_a_rule_bears_numbers_at_the_edges(rule, name):
    judge_all(rule, SITES, [np.full((len(SITES), len(STATISTICS)), value) for value in SAMPLES[name]])


@EVERY_RULE
@pytest.mark.parametrize("sites", [(), (LOSS,), (INPUT,), (penalty("a"),)], ids=["none", "loss", "input", "penalty"])
def test_a_rule_bears_a_training_with_hardly_a_site(rule, sites):
    judge_all(rule, sites, [np.ones((len(sites), len(STATISTICS)))] * 5)


@EVERY_RULE
def test_a_rule_bears_a_single_sample(rule):
    judge_all(rule, SITES, [np.ones((len(SITES), len(STATISTICS)))])


@EVERY_RULE
def test_a_constant_training_without_a_bad_value_is_told_by_no_rule(rule):
    sample = np.ones((len(SITES), len(STATISTICS)))
    sample[:, -1] = 0
    sample[[site.kind.value == "penalty" for site in SITES]] *= 0.01
    assert judge_all(rule, SITES, [sample] * 20) == []


NUMBERS = [np.nan, np.inf, -np.inf, 0.0, 1.0, -1.0, 1e-45, 1e-10, 1e10, 3e38, -3e38]


@EVERY_RULE
@settings(max_examples=200)
@given(gaps=st.lists(st.integers(1, 2**40), min_size=1, max_size=9), seed=st.integers(0, 2**32))
def test_a_rule_bears_whatever_numbers_a_log_holds(rule, gaps, seed):
    arrays = np.random.default_rng(seed).choice(NUMBERS, (len(gaps), len(SITES), len(STATISTICS)))
    judge_all(rule, SITES, arrays, steps=list(itertools.accumulate(gaps)))


@EVERY_RULE
def test_a_rule_bears_sites_of_shapes_that_only_a_damaged_log_claims(rule):
    vast = Site("conv", weight("conv").kind, "kernel", shape=(2**62,) * 20, layer_type="Conv2D")
    judge_all(rule, [INPUT, vast, output("conv")], [np.ones((3, len(STATISTICS)))] * 5)


def test_every_kind_takes_its_value_in_one_of_the_five_phases():
    kinds = set(type(INPUT.kind))
    assert set(PHASE_OF_KIND) == kinds
    assert set(PHASE_OF_KIND.values()) == {"data", "forward", "loss", "backward", "update"}
