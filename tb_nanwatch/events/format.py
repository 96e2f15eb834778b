"""The log's format: names of tags, and the vocabulary's types to messages and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tb_nanwatch.errors import LogFormatError
from tb_nanwatch.events import nanwatch_pb2 as pb
from tb_nanwatch.model.alert import Alert
from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.severity import Severity
from tb_nanwatch.model.site import Site
from tb_nanwatch.model.statistic import STATISTICS
from tb_nanwatch.rules.rule import PHASE_OF_KIND
from tb_nanwatch.rules.thresholds import Thresholds

PLUGIN_NAME: Final = "nanwatch"
MAJOR_VERSION: Final = 1
MINOR_VERSION: Final = 0
EVENTS_PER_PART: Final = 256

_CONTENT_WORDS: Final = {pb.SAMPLES: "samples", pb.TRAIL: "trail", pb.ALERTS: "alerts"}
_SEVERITIES: Final = frozenset(severity.word for severity in Severity)
_PHASES: Final = frozenset(PHASE_OF_KIND.values())
_MOST_SITES: Final = 100_000
_LONGEST_TEXT: Final = 1_000


def tag(header: pb.Header) -> str:
    """The tag that holds what a header describes."""
    name = f"{PLUGIN_NAME}/{header.session}/{_CONTENT_WORDS[header.content]}"
    return name if header.content == pb.ALERTS else f"{name}/{header.part:06d}"


def schema_message(sites: Sequence[Site], thresholds: Thresholds, first_step: int) -> pb.Schema:
    """Describes a session."""
    message = pb.Schema(statistics=STATISTICS, first_step=first_step)
    for site in sites:
        message.sites.add(
            layer=site.layer,
            kind=site.kind.value,
            name=site.name,
            dtype=site.dtype,
            shape=[-1 if size is None else size for size in site.shape],
            layer_type=site.layer_type,
            not_trainable=not site.trainable,
            scaled=site.scaled,
            drawn_std=site.drawn_std,
        )
    for rule, numbers in thresholds.as_dict().items():
        message.thresholds.add(rule=rule, off=numbers is False, numbers=numbers or {})
    return message


def read_header(content: bytes) -> pb.Header:
    """Parses a tag's metadata, which comes from a file that anybody may have written.

    Raises:
        LogFormatError: For garbage, a newer major version, or a claim beyond all reason.
    """
    header = pb.Header()
    try:
        header.ParseFromString(content)
    except Exception as error:  # DecodeError, or ValueError by the protobuf implementation
        raise LogFormatError(f"its metadata can't be parsed ({type(error).__name__})") from error
    if header.major_version > MAJOR_VERSION:
        raise LogFormatError(
            f"it was written in format {header.major_version}.{header.minor_version} and this tb_nanwatch reads up to "
            f"{MAJOR_VERSION}; upgrade tb-nanwatch to read it"
        )
    if header.major_version < 1 or header.content not in _CONTENT_WORDS or not header.session:
        raise LogFormatError("its metadata is not tb_nanwatch's")
    if len(header.schema.sites) > _MOST_SITES:
        raise LogFormatError(f"it claims {len(header.schema.sites)} sites; {_MOST_SITES} are the most that is read")
    return header


def read_sites(schema: pb.Schema) -> tuple[Site, ...]:
    """The sites of a session.

    Raises:
        LogFormatError: For a kind that doesn't exist, or another list of statistics than this version's.
    """
    if tuple(schema.statistics) != STATISTICS:
        raise LogFormatError(
            f"it holds the statistics {', '.join(schema.statistics)[:200]}; expected {', '.join(STATISTICS)}"
        )
    try:
        return tuple(
            Site(
                layer=_text(site.layer),
                kind=Kind(site.kind),
                name=_text(site.name),
                dtype=_text(site.dtype),
                shape=tuple(None if size < 0 else size for size in site.shape),
                layer_type=_text(site.layer_type),
                trainable=not site.not_trainable,
                scaled=site.scaled,
                drawn_std=site.drawn_std if site.HasField("drawn_std") else None,
            )
            for site in schema.sites
        )
    except ValueError as error:
        raise LogFormatError(f"it names a kind of site that this version doesn't know ({error})") from error


def read_thresholds(schema: pb.Schema) -> Thresholds:
    """The thresholds that a session was judged by.

    Raises:
        InvalidArgumentError: For a rule or number that this version doesn't have.
    """
    return Thresholds(**{each.rule: False if each.off else dict(each.numbers) for each in schema.thresholds})


def alert_message(alert: Alert) -> bytes:
    """An alert as it stands in an event."""
    message = pb.Alert(**{name: value for name, value in alert.as_dict().items() if value is not None})
    return bytes(message.SerializeToString())


def read_alert(content: bytes) -> Alert:
    """Parses an alert.

    Raises:
        LogFormatError: If it is none.
    """
    message = pb.Alert()
    try:
        message.ParseFromString(content)
    except Exception as error:  # DecodeError, or ValueError by the protobuf implementation
        raise LogFormatError(f"an alert can't be parsed ({type(error).__name__})") from error
    if message.severity not in _SEVERITIES or message.phase not in _PHASES:
        raise LogFormatError("an alert has a severity or phase that this version doesn't know")
    fields: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        absent = field.has_presence and not message.HasField(field.name)
        fields[field.name] = None if absent else getattr(message, field.name)
    return Alert(**fields)


def _text(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
