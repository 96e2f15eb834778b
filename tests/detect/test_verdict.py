import re

import pytest
from support import INPUT, LOSS, output, record

from tb_nanwatch.detect.engine import Engine
from tb_nanwatch.detect.verdict import verdict
from tb_nanwatch.model.alert import Alert
from tb_nanwatch.model.severity import Status
from tb_nanwatch.rules.rule import PHASE_OF_KIND


def alert(rule="growth", severity="warning", layer="hidden_2", step=10, seen=12, phase="forward", message="it grows"):
    return Alert(
        step=step,
        severity=severity,
        rule=rule,
        layer=layer,
        phase=phase,
        statistic="rms",
        value=1.0,
        threshold=1.0,
        onset=None,
        forecast=None,
        seen=seen,
        message=message,
        cause="",
        advice="",
    )


def nonfinite(**more):
    return alert(**{"rule": "nonfinite", "severity": "critical", "layer": "loss", "phase": "loss", "step": 30, **more})


def test_before_the_first_step_there_is_nothing_to_say():
    said = verdict([], None)
    assert (said.status, said.sentence) == (Status.UNKNOWN, "nothing recorded yet")


def test_a_run_without_alerts_is_healthy_up_to_its_newest_step():
    said = verdict([], 41, Status.HEALTHY)
    assert (said.status, said.sentence) == (Status.HEALTHY, "healthy: nothing to report up to step 41")


def test_information_leaves_a_run_healthy():
    assert verdict([alert(rule="penalty_share", severity="info")], 41, Status.HEALTHY).status is Status.HEALTHY


def test_a_run_that_diverges_is_told_by_the_message_of_its_growth():
    engine = Engine([INPUT, output("hidden_2"), LOSS])
    statuses = [engine.feed(record(step, [1.0, 16.0**step, 1.0])) for step in range(4)]
    said = verdict(engine.alerts, 3, Status(int(statuses[-1].max())))
    pattern = (
        r"diverging: `hidden_2` output doubles every 0\.25 steps since step 0 .*float32 overflows at about step 32"
    )
    assert re.fullmatch(pattern, said.sentence)


def test_a_run_that_diverges_points_to_its_newest_growth():
    said = verdict([alert(layer="a", step=1), alert(layer="b", step=9)], 20, Status.DIVERGING)
    assert (said.status, said.layer, said.step) == (Status.DIVERGING, "b", 9)


def test_a_run_that_has_calmed_down_is_watched():
    said = verdict([alert(message="it grew")], 99, Status.HEALTHY)
    assert (said.status, said.sentence) == (Status.WATCH, "watch: it grew")


def test_a_watched_run_points_to_its_first_warning():
    warned = [alert(rule="initial_scale", layer="a", step=0), alert(rule="penalty_share", layer="b", step=2)]
    said = verdict(warned, 20, Status.HEALTHY)
    assert (said.layer, said.step) == ("a", 0)


def test_a_bad_value_outdoes_all_warnings():
    said = verdict([alert(), nonfinite()], 40, Status.DIVERGING)
    assert (said.status, said.layer, said.step) == (Status.NONFINITE, "loss", 30)


def test_a_run_stays_nonfinite_after_it_has_recovered():
    assert verdict([nonfinite()], 400, Status.HEALTHY).status is Status.NONFINITE


@pytest.mark.parametrize(
    ("phase", "layer", "place"),
    [
        ("data", "input", "the data, at `input`"),
        ("forward", "hidden_1", "the forward pass of `hidden_1`"),
        ("loss", "loss", "the loss, at `loss`"),
        ("backward", "hidden_1", "the backward pass of `hidden_1`"),
        ("update", "hidden_1", "the optimizer's update of `hidden_1`"),
    ],
)
def test_the_place_of_birth_is_named_by_its_phase(phase, layer, place):
    said = verdict([nonfinite(phase=phase, layer=layer)], 40)
    assert said.sentence == f"non-finite since step 30: the first bad value was born in {place}"


@pytest.mark.parametrize("phase", sorted(set(PHASE_OF_KIND.values())))
def test_every_phase_has_its_words(phase):
    assert "born in" in verdict([nonfinite(phase=phase)], 40).sentence


@pytest.mark.parametrize(("seen", "lead"), [(12, "18 steps"), (29, "1 step")])
def test_a_lead_is_counted_from_the_step_at_which_the_warning_was_seen(seen, lead):
    said = verdict([alert(step=10, seen=seen), nonfinite()], 40)
    assert said.sentence.endswith(f"; warned {lead} ahead by growth at `hidden_2`")


@pytest.mark.parametrize("seen", [30, 31])
def test_a_warning_that_is_seen_with_the_bad_value_or_after_it_is_no_lead(seen):
    assert "warned" not in verdict([alert(seen=seen), nonfinite()], 40).sentence


def test_the_earliest_warning_gives_the_lead():
    said = verdict([alert(rule="initial_scale", layer="a", seen=0), alert(seen=12), nonfinite()], 40)
    assert said.sentence.endswith("warned 30 steps ahead by initial_scale at `a`")


def test_information_gives_no_lead():
    assert "warned" not in verdict([alert(severity="info", seen=1), nonfinite()], 40).sentence
