import pytest

from tb_nanwatch.detect.incidents import Incident
from tb_nanwatch.model.severity import Severity
from tb_nanwatch.rules.rule import Finding


def finding(severity=Severity.WARNING, site=0):
    return Finding(site, "rms", 1.0, 1.0, severity)


INFO, WARNING, CRITICAL = (finding(severity) for severity in Severity)


def told(*samples):
    incident = Incident()
    return [incident.take(findings) for findings in samples]


def test_what_goes_on_is_told_once():
    assert told([WARNING], [WARNING], [WARNING]) == [WARNING, None, None]


def test_trouble_that_moves_on_to_another_site_is_the_same_incident():
    assert told([finding(site=0)], [finding(site=1)])[1] is None


@pytest.mark.parametrize(("quiet", "again"), [(1, None), (9, None), (10, WARNING), (30, WARNING)])
def test_an_incident_ends_after_ten_quiet_samples(quiet, again):
    assert told([WARNING], *[[]] * quiet, [WARNING])[-1] is again


def test_quiet_samples_count_in_a_row():
    assert told([WARNING], *[[]] * 9, [WARNING], *[[]] * 9, [WARNING])[-1] is None


def test_what_becomes_graver_is_told_again():
    assert told([INFO], [WARNING], [CRITICAL]) == [INFO, WARNING, CRITICAL]


def test_what_becomes_less_grave_is_not_told_again():
    assert told([CRITICAL], [WARNING], [INFO]) == [CRITICAL, None, None]


def test_the_first_among_the_gravest_is_told():
    first, second = finding(site=3), finding(site=1)
    assert told([INFO, first, second]) == [first]


def test_nothing_found_is_nothing_to_tell():
    assert told([], []) == [None, None]
