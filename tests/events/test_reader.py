import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import LOSS, output, record

from tb_nanwatch import Alert, Thresholds
from tb_nanwatch.events import nanwatch_pb2 as pb
from tb_nanwatch.events.format import MAJOR_VERSION, alert_message, schema_message
from tb_nanwatch.events.reader import Event, RunLog

SITES = (output("hidden_1"), LOSS)
GOOD = record(0, [1.0, 2.0]).values.astype(np.float32)
ALERT = Alert(7, "warning", "growth", "hidden_1", "forward", "rms", 2.0, 3.0, 0, 12, 9, "it grows", "", "")


def header(content=pb.SAMPLES, session="1", schema=None, **fields):
    schema = schema or schema_message(SITES, Thresholds(growth={"horizon": 20}), 0)
    whole = {"major_version": MAJOR_VERSION, "session": session, "content": content, "schema": schema, **fields}
    return pb.Header(**whole).SerializeToString()


def taken(content, *events):
    log = RunLog()
    log.take("tag", header(content), events)
    return log, log.sessions["1"]


def text(content):
    return np.array(content, dtype=object)


DAMAGED_SAMPLES = {
    "too few sites": Event(1, GOOD[:1]),
    "too many sites": Event(1, np.concatenate([GOOD, GOOD])),
    "another number of statistics": Event(1, GOOD[:, :-1]),
    "no axis": Event(1, np.float32(1.0).reshape(())),
    "nothing": Event(1, np.empty((0, 9), np.float32)),
    "integers": Event(1, GOOD.astype(np.int32)),
    "text": Event(1, text(b"abc")),
    "complex numbers": Event(1, GOOD.astype(np.complex64)),
    "a negative step": Event(-1, GOOD),
    "a step beyond reason": Event(2**62, GOOD),
}


@pytest.mark.parametrize("damaged", DAMAGED_SAMPLES.values(), ids=list(DAMAGED_SAMPLES))
def test_a_damaged_sample_is_left_out_and_the_rest_is_read(damaged):
    _, session = taken(pb.SAMPLES, Event(0, GOOD), damaged, Event(2, GOOD))
    assert sorted(session.records) == [0, 2]


@pytest.mark.parametrize("damaged", DAMAGED_SAMPLES.values(), ids=list(DAMAGED_SAMPLES))
def test_a_damaged_sample_is_told_of_in_one_sentence(damaged):
    log, _ = taken(pb.SAMPLES, Event(0, GOOD), damaged, Event(2, GOOD))
    (problem,) = log.problems
    assert problem.startswith("a part of the log is left out: ")
    assert "\n" not in problem


def test_the_same_damage_is_told_of_once():
    log, _ = taken(pb.SAMPLES, *(Event(step, GOOD[:1]) for step in range(100)))
    assert list(log.problems) == [
        "a part of the log is left out: a sample has the shape [1, 9] of float32; expected [2, 9]"
    ]


def test_the_claimed_step_is_quoted():
    log, _ = taken(pb.SAMPLES, Event(2**62, GOOD))
    assert list(log.problems) == [f"a part of the log is left out: an event claims step {2**62}"]


def test_a_nan_of_the_signalling_kind_is_a_nan_and_no_warning():
    damaged = GOOD.copy()
    damaged.view(np.uint32)[0, 0] = 0x7FA00000
    _, session = taken(pb.SAMPLES, Event(0, damaged))
    assert np.isnan(session.records[0].values[0, 0])


@pytest.mark.parametrize(
    "tensor",
    [text(b"\xff\xff\xff"), text([b"abc", b"def"]), text("abc"), text(None), np.float32(1.0).reshape(()), GOOD],
    ids=["garbage", "two", "no bytes", "none", "a number", "a sample"],
)
def test_a_damaged_alert_is_told_of_in_one_sentence_and_the_rest_is_read(tensor):
    good = text(alert_message(ALERT))
    log, session = taken(pb.ALERTS, Event(0, good), Event(1, tensor), Event(2, good))
    assert sorted(session.alerts) == [0, 2]
    (problem,) = log.problems
    assert problem.startswith("a part of the log is left out: an alert ")


@pytest.mark.parametrize(
    "tensor",
    [np.ones(2), np.ones((2, 3)), np.ones((1, 2), np.int64), text(b"abc"), np.float64(1.0).reshape(())],
    ids=["no rows", "three columns", "integers", "text", "a number"],
)
def test_a_damaged_trail_is_told_of_in_one_sentence_and_the_rest_is_read(tensor):
    log, session = taken(pb.TRAIL, Event(0, np.array([[0.0, 5.0]])), Event(1, tensor), Event(2, np.array([[2.0, 6.0]])))
    assert session.trail == {0: 5.0, 2: 6.0}
    assert len(log.problems) == 1


@pytest.mark.parametrize("step", [np.nan, np.inf, -np.inf, -1.0, 2.0**62])
def test_a_step_of_the_trail_that_can_not_be_is_left_out(step):
    _, session = taken(pb.TRAIL, Event(2, np.array([[0.0, 5.0], [step, 6.0], [2.0, 7.0]])))
    assert session.trail == {0: 5.0, 2: 7.0}


def test_what_is_read_again_is_passed_over():
    log, session = taken(pb.SAMPLES, Event(0, GOOD))
    log.take("tag", header(), [Event(0, 2 * GOOD), Event(1, GOOD)])
    assert sorted(session.records) == [0, 1]
    np.testing.assert_array_equal(session.records[0].values, GOOD)


def test_tags_of_one_session_come_together_in_whatever_order_they_are_read():
    log = RunLog()
    log.take("alerts", header(pb.ALERTS), [Event(0, text(alert_message(ALERT)))])
    log.take("part 1", header(pb.SAMPLES, part=1), [Event(1, GOOD)])
    log.take("part 0", header(pb.SAMPLES, part=0), [Event(0, GOOD)])
    (session,) = log.in_order()
    assert sorted(session.records) == [0, 1]
    assert list(session.alerts.values()) == [ALERT]


def test_sessions_are_ordered_by_their_names():
    log = RunLog()
    for name in ("2", "3", "1"):
        log.take("tag", header(session=name), [])
    assert [session.name for session in log.in_order()] == ["1", "2", "3"]


def test_a_newer_major_version_is_told_of_with_what_to_do():
    log = RunLog()
    assert log.take("tag", header(major_version=2), []) is None
    (problem,) = log.problems
    assert "upgrade tb-nanwatch" in problem


def test_a_session_that_can_not_be_read_leaves_the_others():
    log = RunLog()
    log.take("bad", header(session="1", schema=pb.Schema(statistics=["aura"])), [Event(0, GOOD)])
    log.take("good", header(session="2"), [Event(0, GOOD)])
    assert list(log.sessions) == ["2"]


@pytest.mark.parametrize(
    "thresholds",
    [
        pb.RuleThresholds(rule="from_the_future", off=True),
        pb.RuleThresholds(rule="growth", numbers={"from_the_future": 1.0}),
        pb.RuleThresholds(rule="growth", numbers={"horizon": float("nan")}),
        pb.RuleThresholds(rule="", off=True),
        pb.RuleThresholds(rule="self", off=True),
    ],
    ids=["rule", "number", "nan", "no name", "self"],
)
def test_thresholds_of_another_version_are_replaced_by_this_versions_defaults(thresholds):
    schema = schema_message(SITES, Thresholds(), 0)
    schema.thresholds.append(thresholds)
    log = RunLog()
    session = log.take("tag", header(schema=schema), [Event(0, GOOD)])
    assert session.thresholds == Thresholds()
    assert sorted(session.records) == [0]


WORDS = st.sampled_from(["growth", "nonfinite", "horizon", "output", "loss", "rms", "float32", "", "x" * 2000, "ß"])
WHOLE = st.integers(-(2**63), 2**63 - 1)
HEADERS = st.builds(
    pb.Header,
    major_version=st.sampled_from([1, 1, 1, 0, -1, 2]),
    session=WORDS,
    content=st.integers(0, 4),
    part=st.integers(-(2**31), 2**31 - 1),
    schema=st.builds(
        pb.Schema,
        statistics=st.just(schema_message((), Thresholds(), 0).statistics) | st.lists(WORDS, max_size=3),
        sites=st.lists(
            st.builds(pb.Site, layer=WORDS, kind=WORDS, dtype=WORDS, shape=st.lists(WHOLE, max_size=4)), max_size=3
        ),
        thresholds=st.lists(
            st.builds(pb.RuleThresholds, rule=WORDS, off=st.booleans(), numbers=st.dictionaries(WORDS, st.floats())),
            max_size=3,
        ),
        first_step=WHOLE,
    ),
).map(lambda message: message.SerializeToString())
EVENTS = [Event(-1, GOOD), Event(0, GOOD), Event(1, text(b"\x08\x01")), Event(2, np.array([[0.0, 1.0]]))]


@st.composite
def flipped(draw):
    """A good header with some bytes changed."""
    content = bytearray(header())
    for place in draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=4)):
        content[place] = draw(st.integers(0, 255))
    return bytes(content)


@settings(max_examples=300)
@given(st.binary(max_size=200) | HEADERS | flipped())
@example(b"")
@example(header())
def test_no_header_makes_reading_raise(content):
    log = RunLog()
    session = log.take("tag", content, EVENTS)
    assert session is not None or len(log.problems) == 1


@settings(max_examples=300)
@given(st.binary(max_size=100))
def test_no_alert_makes_reading_raise(content):
    taken(pb.ALERTS, Event(0, text(content)))
