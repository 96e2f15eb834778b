"""The generated code is committed, so that installing needs no protoc: it has to be what the .proto says."""

import pathlib
import subprocess
import sys

import pytest
from google.protobuf import descriptor_pb2

from tb_nanwatch.events import nanwatch_pb2

ROOT = pathlib.Path(nanwatch_pb2.__file__).parents[2]
PROTO = "tb_nanwatch/events/nanwatch.proto"


@pytest.fixture
def compiled(tmp_path):
    target = tmp_path / "descriptors"
    # In a process of its own: beside TensorFlow, which brings another protobuf in C++, the compiler crashes.
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT}", f"--descriptor_set_out={target}", PROTO]
    subprocess.run(command, check=True)
    (file,) = descriptor_pb2.FileDescriptorSet.FromString(target.read_bytes()).file
    return without_json_names(file)


def without_json_names(file):
    """Names for JSON are derived; compilers differ in whether they write them down."""
    messages = list(file.message_type)
    while messages:
        message = messages.pop()
        messages += message.nested_type
        for field in message.field:
            field.ClearField("json_name")
    return file


def test_the_generated_code_is_what_the_proto_file_says(compiled):
    generated = descriptor_pb2.FileDescriptorProto()
    nanwatch_pb2.DESCRIPTOR.CopyToProto(generated)
    assert without_json_names(generated) == compiled


def test_the_generated_code_runs_on_old_protobuf_too():
    # protoc 5.27 and newer write a check that refuses a runtime of another major version.
    source = pathlib.Path(nanwatch_pb2.__file__).read_text(encoding="utf-8")
    assert "runtime_version" not in source
