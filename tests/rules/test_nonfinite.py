import numpy as np
import pytest
from support import INPUT, LOSS, explain, gradient, judge, output, record

from tb_nanwatch.model.severity import Severity, Status
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.nonfinite import RULE

SITES = (INPUT, output("hidden_1"), gradient("hidden_1", scaled=True), LOSS)


def sampled(*counts):
    made = History(SITES)
    for step, each in enumerate(counts):
        made.add(record(step, [1.0] * len(SITES), each))
    return made


def test_every_site_that_holds_a_bad_value_is_found():
    assert [finding.site for finding in judge(RULE, sampled([0, 2, 0, 1]))] == [1, 3]


def test_a_finding_counts_the_bad_values():
    (finding,) = judge(RULE, sampled([0, 2, 0, 0]))
    assert (finding.statistic, finding.value) == ("nonfinite_count", 2)


def test_a_finding_is_critical_and_makes_a_layer_nonfinite():
    (finding,) = judge(RULE, sampled([0, 2, 0, 0]))
    assert (finding.severity, RULE.status) == (Severity.CRITICAL, Status.NONFINITE)


def test_the_newest_sample_alone_is_judged():
    assert not judge(RULE, sampled([0, 2, 0, 0], [0, 0, 0, 0]))


def test_the_onset_is_the_newest_step():
    (finding,) = judge(RULE, sampled([0, 0, 0, 0], [0, 0, 0, 1]))
    assert finding.onset == 1


def test_an_inf_under_a_loss_scale_is_by_design():
    assert not judge(RULE, sampled([0, 0, 5, 0]))


def test_what_was_not_measured_is_not_bad():
    assert not judge(RULE, sampled([np.nan] * 4))


@pytest.mark.parametrize("count", [1, 7])
def test_the_message_names_the_site_and_the_count(count):
    message = explain(RULE, sampled([0, count, 0, 0])).message
    assert "`hidden_1` output" in message
    assert f" {count} " in message
