import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tb_nanwatch import Alert, LogFormatError, Thresholds
from tb_nanwatch.events import nanwatch_pb2 as pb
from tb_nanwatch.events.format import (
    MAJOR_VERSION,
    alert_message,
    read_alert,
    read_header,
    read_sites,
    read_thresholds,
    schema_message,
    tag,
)
from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.site import Site
from tb_nanwatch.model.statistic import STATISTICS
from tb_nanwatch.rules.catalog import RULES

STEPS = st.integers(0, 2**53)
NAMES = st.text(max_size=30)
SITES = st.builds(
    Site,
    layer=NAMES,
    kind=st.sampled_from(Kind),
    name=NAMES,
    dtype=st.sampled_from(["float32", "float16", "bfloat16", "float64", "int32", ""]),
    shape=st.lists(st.none() | st.integers(0, 2**40), max_size=6).map(tuple),
    layer_type=NAMES,
    trainable=st.booleans(),
    scaled=st.booleans(),
    drawn_std=st.none() | st.floats(0, 1e3),
)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        rule.id: st.just(False)
        | st.fixed_dictionaries({}, optional={each.name: st.floats(each.minimum, 1e300) for each in rule.thresholds})
        for rule in RULES
    },
).map(lambda settings: Thresholds(**settings))
ALERTS = st.builds(
    Alert,
    step=STEPS,
    severity=st.sampled_from(["info", "warning", "critical"]),
    rule=NAMES,
    layer=NAMES,
    phase=st.sampled_from(["data", "forward", "loss", "backward", "update"]),
    statistic=st.sampled_from(STATISTICS),
    value=st.floats(),
    threshold=st.floats(),
    onset=st.none() | STEPS,
    forecast=st.none() | STEPS,
    seen=STEPS,
    message=st.text(),
    cause=st.text(),
    advice=st.text(),
    source=st.none() | st.text(),
)
ALERT = Alert(1, "warning", "growth", "hidden_1", "forward", "rms", 2.0, 3.0, None, None, 1, "it grows", "", "")


def parsed(message):
    """A message that has been bytes in between."""
    return type(message).FromString(message.SerializeToString())


def header(**fields):
    whole = {"major_version": MAJOR_VERSION, "session": "00000000000000000001", "content": pb.SAMPLES, **fields}
    return pb.Header(**whole).SerializeToString()


@given(st.lists(SITES, max_size=5))
def test_sites_are_read_as_they_were_written(sites):
    assert read_sites(parsed(schema_message(sites, Thresholds(), 0))) == tuple(sites)


@given(SETTINGS)
def test_thresholds_are_read_as_they_were_written(thresholds):
    assert read_thresholds(parsed(schema_message([], thresholds, 0))) == thresholds


@given(STEPS)
def test_the_first_step_is_read_as_it_was_written(step):
    assert parsed(schema_message([], Thresholds(), step)).first_step == step


@given(ALERTS)
def test_alerts_are_read_as_they_were_written(alert):
    np.testing.assert_equal(read_alert(alert_message(alert)).as_dict(), alert.as_dict())


@pytest.mark.parametrize("name", ["onset", "forecast"])
def test_step_zero_is_not_taken_for_no_step(name):
    alert = dataclasses.replace(ALERT, **{name: 0})
    assert getattr(read_alert(alert_message(alert)), name) == 0


def test_minus_zero_keeps_its_sign():
    read = read_alert(alert_message(dataclasses.replace(ALERT, value=-0.0)))
    assert math.copysign(1, read.value) == -1


@pytest.mark.parametrize("field", ["layer", "name", "dtype", "layer_type"])
def test_a_name_beyond_reason_is_cut(field):
    schema = schema_message([Site("a", Kind.OUTPUT)], Thresholds(), 0)
    setattr(schema.sites[0], field, "x" * 100_000)
    read = getattr(read_sites(schema)[0], field)
    assert len(read) == 1000
    assert read.endswith("x…")


def test_a_name_of_the_longest_length_is_kept():
    schema = schema_message([Site("x" * 1000, Kind.OUTPUT)], Thresholds(), 0)
    assert read_sites(schema)[0].layer == "x" * 1000


@pytest.mark.parametrize(
    ("content", "part", "expected"),
    [
        (pb.SAMPLES, 3, "nanwatch/7/samples/000003"),
        (pb.TRAIL, 0, "nanwatch/7/trail/000000"),
        (pb.ALERTS, 0, "nanwatch/7/alerts"),
    ],
)
def test_a_tag_tells_session_content_and_part(content, part, expected):
    assert tag(pb.Header(session="7", content=content, part=part)) == expected


def test_a_header_is_read_as_it_was_written():
    assert read_header(header(part=3)).part == 3


def test_a_newer_minor_version_is_read():
    assert read_header(header(minor_version=99)).minor_version == 99


def test_a_newer_major_version_is_refused_with_what_to_do():
    with pytest.raises(LogFormatError, match=r"written in format 2\.5 .* reads up to 1; upgrade tb-nanwatch"):
        read_header(header(major_version=2, minor_version=5))


@pytest.mark.parametrize("content", [b"\xff", b"\xff\xff\xff", b"\x0a\xff", b"nonsense", b"\x1a\x02\xff\xfe"])
def test_garbage_is_refused(content):
    with pytest.raises(LogFormatError):
        read_header(content)


@pytest.mark.parametrize(
    "fields", [{"major_version": 0}, {"major_version": -1}, {"content": 0}, {"content": 77}, {"session": ""}], ids=str
)
def test_what_another_has_written_is_refused(fields):
    with pytest.raises(LogFormatError, match="not tb_nanwatch's"):
        read_header(header(**fields))


def test_empty_metadata_are_refused():
    with pytest.raises(LogFormatError, match="not tb_nanwatch's"):
        read_header(b"")


def test_a_claim_of_too_many_sites_is_refused():
    with pytest.raises(LogFormatError, match="claims 100001 sites; 100000 are the most"):
        read_header(header(schema=pb.Schema(sites=[pb.Site()] * 100_001)))


def test_other_statistics_than_this_versions_are_refused():
    schema = schema_message([], Thresholds(), 0)
    schema.statistics.append("kurtosis")
    with pytest.raises(LogFormatError, match="nonfinite_count, kurtosis; expected rms"):
        read_sites(schema)


def test_a_kind_that_this_version_does_not_know_is_refused():
    with pytest.raises(LogFormatError, match=r"kind of site that this version doesn't know .*'aura'"):
        read_sites(pb.Schema(statistics=STATISTICS, sites=[pb.Site(layer="a", kind="aura")]))


@pytest.mark.parametrize("content", [b"\xff", b"\xff\xff\xff", b"\x12\xff", b"\x12\x02\xff\xfe"])
def test_an_alert_of_garbage_is_refused(content):
    with pytest.raises(LogFormatError, match="an alert can't be parsed"):
        read_alert(content)


def test_an_alert_of_nothing_is_refused():
    with pytest.raises(LogFormatError):
        read_alert(b"")


@pytest.mark.parametrize("field", ["severity", "phase"])
def test_an_alert_with_a_word_outside_the_vocabulary_is_refused(field):
    with pytest.raises(LogFormatError):
        read_alert(alert_message(dataclasses.replace(ALERT, **{field: "dire"})))
