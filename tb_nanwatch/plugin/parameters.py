"""Parameters of requests, typed and limited. Requests may come from anybody."""

from __future__ import annotations

import dataclasses

from werkzeug import wrappers

from tb_nanwatch.model.statistic import STATISTICS

MOST_SITES = 64
MOST_VALUES = 4_000_000
_LAST_STEP = 2**53
_LONGEST_RUN = 4_096


class RequestError(Exception):
    """A request that can't be answered: a status code and a sentence for the one who asked."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclasses.dataclass(frozen=True)
class Window:
    """Steps from `first` to `last`, both included."""

    first: int
    last: int


def run(request: wrappers.Request) -> str:
    """The run's name; whether it exists is for the store to say."""
    name = request.args.get("run")
    if name is None:
        raise RequestError(400, "parameter 'run' is missing")
    if len(name) > _LONGEST_RUN:
        raise RequestError(400, f"parameter 'run' has {len(name)} characters; {_LONGEST_RUN} are the most")
    return name


def window(request: wrappers.Request) -> Window:
    """The steps asked for; all of them by default."""
    return Window(_whole(request, "from", 0), _whole(request, "to", _LAST_STEP))


def statistic(request: wrappers.Request) -> int:
    """Index of the statistic asked for."""
    name = request.args.get("statistic", "")
    if name not in STATISTICS:
        raise RequestError(400, f"parameter 'statistic' is {_quoted(name)}; choose one of {', '.join(STATISTICS)}")
    return STATISTICS.index(name)


def sites(request: wrappers.Request, available: int) -> list[int]:
    """Indices of the sites asked for, as they stand in the request."""
    text = request.args.get("sites", "")
    words = text.split(",", MOST_SITES)
    if len(words) > MOST_SITES:
        raise RequestError(400, f"parameter 'sites' names more than {MOST_SITES} sites; ask for them in parts")
    indices = [_number("sites", word) for word in words]
    for index in indices:
        if index >= available:
            raise RequestError(400, f"parameter 'sites' names site {index}; the run has {available}, counted from 0")
    return indices


def _whole(request: wrappers.Request, name: str, default: int) -> int:
    text = request.args.get(name)
    return default if text is None else _number(name, text)


def _number(name: str, text: str) -> int:
    # Python would read other digits, signs and underscores too.
    if not (text.isascii() and text.isdigit()) or len(text) > 16 or int(text) > _LAST_STEP:
        raise RequestError(400, f"parameter {name!r} holds {_quoted(text)}; expected whole numbers from 0 to 2**53")
    return int(text)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
