"""Every exception that tb_nanwatch raises on purpose.

NanWatchError
├── InvalidArgumentError (ValueError)   an argument, threshold or option is not usable
├── CallbackReuseError (RuntimeError)   one callback for two models or two trainings at once
├── LogDirectoryError (OSError)         the log directory can't be written or read
├── LogFormatError (ValueError)         a log is damaged or of a newer format
└── BackendError (RuntimeError)         Keras doesn't run on TensorFlow
"""


class NanWatchError(Exception):
    """Base of all errors raised by tb_nanwatch."""


class InvalidArgumentError(NanWatchError, ValueError):
    """An argument has a value that can't be used; the message quotes it and names what can."""


class CallbackReuseError(NanWatchError, RuntimeError):
    """A `NanWatch` was handed to a second model, or to a second training while the first runs."""


class LogDirectoryError(NanWatchError, OSError):
    """The log directory can't be created, written or read."""


class LogFormatError(NanWatchError, ValueError):
    """A recorded log is damaged, or was written by a newer major version."""


class BackendError(NanWatchError, RuntimeError):
    """Keras runs on a backend for which there is no capture."""
