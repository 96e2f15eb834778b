import dataclasses

import pytest

from tb_nanwatch import Alert

ALERT = Alert(
    step=7,
    severity="warning",
    rule="growth",
    layer="hidden_1",
    phase="forward",
    statistic="rms",
    value=2.0,
    threshold=40.0,
    onset=3,
    forecast=None,
    seen=8,
    message="it grows",
    cause="a high rate",
    advice="lower it",
)


def test_an_alert_as_a_dict_makes_the_same_alert_again():
    assert Alert(**ALERT.as_dict()) == ALERT


def test_the_fields_stand_in_the_order_of_the_public_interface():
    promised = (
        "step severity rule layer phase statistic value threshold onset forecast seen message cause advice source"
    )
    assert list(ALERT.as_dict()) == promised.split()


def test_the_source_is_none_unless_an_operation_is_to_blame():
    assert ALERT.source is None


def test_an_alert_can_not_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ALERT.step = 8
