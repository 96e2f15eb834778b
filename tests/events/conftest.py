"""What the tests of the log's format share."""

import dataclasses
from typing import Any

import pytest
from tensorboard.compat.proto import summary_pb2
from tensorboard.util import tensor_util

from tb_nanwatch.events.format import read_header
from tb_nanwatch.events.reader import Event


@dataclasses.dataclass(frozen=True)
class Written:
    tag: str
    value: Any
    step: int
    metadata: bytes | None


class ListSink:
    """An `events.writer.Sink` that keeps what it is given."""

    def __init__(self) -> None:
        self.written = []

    def __call__(self, tag, value, step, metadata) -> None:
        self.written.append(Written(tag, value, step, metadata))

    def of(self, content):
        return [each for each in self.written if f"/{content}" in each.tag]

    def headers(self):
        """By tag, the plugin content of its first event, as TensorBoard hands it on."""
        found = {}
        for each in self.written:
            if each.tag not in found:
                metadata = summary_pb2.SummaryMetadata.FromString(each.metadata)
                found[each.tag] = metadata.plugin_data.content
        return found

    def events(self, tag):
        """The events of a tag, with tensors that have been what they are in a file."""
        return [
            Event(each.step, tensor_util.make_ndarray(tensor_util.make_tensor_proto(each.value)))
            for each in self.written
            if each.tag == tag
        ]

    def read_into(self, log):
        for tag, header in self.headers().items():
            log.take(tag, header, self.events(tag))
        return log

    def header(self, tag):
        return read_header(self.headers()[tag])


@pytest.fixture
def sink():
    return ListSink()
