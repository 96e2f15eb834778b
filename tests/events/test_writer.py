import dataclasses
import math
import re

import numpy as np
import pytest
from support import INPUT, LOSS, output, record
from tensorboard.compat.proto import summary_pb2

from tb_nanwatch import Alert, Thresholds
from tb_nanwatch.events import nanwatch_pb2 as pb
from tb_nanwatch.events.format import read_alert, read_sites
from tb_nanwatch.events.reader import RunLog
from tb_nanwatch.events.writer import SessionWriter

SITES = (INPUT, output("hidden_1"), LOSS)
ALERT = Alert(7, "warning", "growth", "hidden_1", "forward", "rms", 2.0, 3.0, 0, 12, 9, "größer ∞", "", "")


def writer(sink, first_step=0):
    return SessionWriter(sink, SITES, Thresholds(growth={"horizon": 20}, penalty_share=False), first_step)


def sampled(sink, count, first_step=0):
    writing = writer(sink, first_step)
    for step in range(first_step, first_step + count):
        writing.sample(record(step, [1.0, float(step), 2.0]))
    return sink


def test_a_tag_tells_session_content_and_part(sink):
    sampled(sink, 1)
    assert re.fullmatch(r"nanwatch/\d{20}/samples/000000", sink.written[0].tag)


def test_a_later_session_sorts_behind(sink):
    sampled(sink, 1)
    sampled(sink, 1)
    assert sink.written[0].tag < sink.written[1].tag


def test_all_tags_of_a_session_begin_alike(sink):
    writing = writer(sink)
    writing.sample(record(0, [1.0] * 3))
    writing.trail(np.array([0]), np.array([1.0]))
    writing.alert(ALERT)
    assert len({each.tag.split("/")[1] for each in sink.written}) == 1
    assert [each.tag.split("/")[2] for each in sink.written] == ["samples", "trail", "alerts"]


def test_a_part_holds_256_samples(sink):
    sampled(sink, 600)
    tags = [each.tag[-6:] for each in sink.written]
    assert [tags.count(part) for part in ("000000", "000001", "000002")] == [256, 256, 88]


def test_a_part_of_the_trail_holds_256_events(sink):
    writing = writer(sink)
    for step in range(257):
        writing.trail(np.array([step]), np.array([1.0]))
    assert [each.tag[-6:] for each in sink.written[-2:]] == ["000000", "000001"]


def test_only_the_first_event_of_a_part_carries_metadata(sink):
    sampled(sink, 600)
    assert [each.step for each in sink.written if each.metadata is not None] == [0, 256, 512]


def test_all_alerts_go_to_one_tag_whose_first_event_carries_metadata(sink):
    writing = writer(sink)
    for _ in range(300):
        writing.alert(ALERT)
    assert len({each.tag for each in sink.written}) == 1
    assert [each.step for each in sink.written if each.metadata is not None] == [0]


def test_the_steps_of_alerts_count_them_from_zero(sink):
    writing = writer(sink)
    for step in (7, 3, 3):
        writing.alert(dataclasses.replace(ALERT, step=step))
    assert [each.step for each in sink.written] == [0, 1, 2]


def test_the_steps_of_a_tag_grow_strictly(sink):
    writing = writer(sink, first_step=5)
    for step in range(5, 300):
        writing.sample(record(step, [1.0] * 3))
        writing.trail(np.array([step]), np.array([1.0]))
        writing.alert(ALERT)
    by_tag = {}
    for each in sink.written:
        by_tag.setdefault(each.tag, []).append(each.step)
    assert all(np.all(np.diff(steps) > 0) for steps in by_tag.values())


def test_metadata_name_the_plugin_and_are_of_class_tensor(sink):
    sampled(sink, 1)
    metadata = summary_pb2.SummaryMetadata.FromString(sink.written[0].metadata)
    assert metadata.plugin_data.plugin_name == "nanwatch"
    assert metadata.data_class == summary_pb2.DATA_CLASS_TENSOR


def test_every_part_carries_the_whole_schema(sink):
    sampled(sink, 257)
    assert [read_sites(sink.header(tag).schema) for tag in sink.headers()] == [SITES, SITES]


@pytest.mark.parametrize(("part", "tag_ending"), [(0, "000000"), (1, "000001")])
def test_a_header_describes_its_tag(sink, part, tag_ending):
    sampled(sink, 257)
    (tag,) = [tag for tag in sink.headers() if tag.endswith(tag_ending)]
    header = sink.header(tag)
    assert (header.content, header.part, header.session) == (pb.SAMPLES, part, tag.split("/")[1])


def test_a_sample_is_float32_by_site_and_statistic(sink):
    sampled(sink, 1)
    assert (sink.written[0].value.dtype, sink.written[0].value.shape) == (np.float32, (3, 9))


def test_a_statistic_beyond_float32_becomes_an_infinity_and_no_warning(sink):
    writer(sink).sample(record(0, [1e300, 1.0, 1.0]))
    assert sink.written[0].value[0, 0] == np.inf


def test_the_trail_holds_step_and_loss_and_stands_at_its_last_step(sink):
    writer(sink).trail(np.array([5, 6, 7]), np.array([1.0, np.nan, 2.0]))
    (event,) = sink.written
    assert event.step == 7
    np.testing.assert_array_equal(event.value, [[5, 1.0], [6, np.nan], [7, 2.0]])


def test_a_step_of_the_trail_stays_exact_where_float32_would_round_it(sink):
    writer(sink).trail(np.array([2**40 + 1]), np.array([1.0]))
    assert sink.written[0].value[0, 0] == 2**40 + 1


def test_a_trail_of_no_steps_is_not_written(sink):
    writer(sink).trail(np.array([], dtype=np.int64), np.array([]))
    assert sink.written == []


def test_an_alert_is_written_as_bytes(sink):
    writer(sink).alert(ALERT)
    assert read_alert(sink.written[0].value) == ALERT


def test_samples_are_read_as_they_were_written_but_for_rounding_to_float32(sink):
    sampled(sink, 600, first_step=1000)
    (session,) = sink.read_into(RunLog()).in_order()
    assert sorted(session.records) == list(range(1000, 1600))
    np.testing.assert_array_equal(session.records[1599].values, record(1599, [1.0, 1599.0, 2.0]).values)


def test_a_sample_is_read_as_float64(sink):
    sampled(sink, 1)
    (session,) = sink.read_into(RunLog()).in_order()
    assert session.records[0].values.dtype == np.float64


def test_the_trail_is_read_as_it_was_written(sink):
    writing = writer(sink)
    writing.trail(np.array([0, 1]), np.array([3.5, np.inf]))
    writing.trail(np.array([2]), np.array([0.1]))
    (session,) = sink.read_into(RunLog()).in_order()
    assert session.trail == {0: 3.5, 1: math.inf, 2: 0.1}


def test_alerts_are_read_as_they_were_written_in_order(sink):
    alerts = [dataclasses.replace(ALERT, step=step) for step in (7, 3)]
    writing = writer(sink)
    for alert in alerts:
        writing.alert(alert)
    (session,) = sink.read_into(RunLog()).in_order()
    assert [session.alerts[number] for number in sorted(session.alerts)] == alerts


def test_sites_thresholds_and_first_step_are_read_as_they_were_written(sink):
    sampled(sink, 1, first_step=42)
    (session,) = sink.read_into(RunLog()).in_order()
    assert session.sites == SITES
    assert session.thresholds == Thresholds(growth={"horizon": 20}, penalty_share=False)
    assert session.first_step == 42


def test_two_sessions_are_read_in_the_order_in_which_they_began(sink):
    sampled(sink, 3, first_step=0)
    sampled(sink, 3, first_step=3)
    assert [session.first_step for session in sink.read_into(RunLog()).in_order()] == [0, 3]


def test_what_was_written_is_read_without_a_problem(sink):
    writing = writer(sink)
    writing.sample(record(0, [np.nan, 1.0, -1.0], [0.0, np.nan, 3.0]))
    writing.trail(np.array([0]), np.array([np.nan]))
    writing.alert(ALERT)
    assert sink.read_into(RunLog()).problems == {}
