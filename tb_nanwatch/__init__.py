"""Watches the health of every layer while a network trains, and warns before the first NaN.

The public interface is what this module lists. `NanWatch` loads TensorFlow and Keras when it is first
looked up; importing `tb_nanwatch` alone does not.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from tb_nanwatch._version import __version__
from tb_nanwatch.errors import (
    BackendError,
    CallbackReuseError,
    InvalidArgumentError,
    LogDirectoryError,
    LogFormatError,
    NanWatchError,
)
from tb_nanwatch.model.alert import Alert

if TYPE_CHECKING:
    from tb_nanwatch.callback import NanWatch
    from tb_nanwatch.rules.thresholds import Thresholds

__all__ = [
    "Alert",
    "BackendError",
    "CallbackReuseError",
    "InvalidArgumentError",
    "LogDirectoryError",
    "LogFormatError",
    "NanWatch",
    "NanWatchError",
    "Thresholds",
    "__version__",
]

_LAZY = {"NanWatch": "tb_nanwatch.callback", "Thresholds": "tb_nanwatch.rules.thresholds"}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
