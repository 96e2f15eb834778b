"""Writes summaries with TensorFlow, wherever `tf.io.gfile` can write."""

from __future__ import annotations

import os
from typing import Any

import tensorflow as tf

from tb_nanwatch.errors import LogDirectoryError

_FLUSH_MILLISECONDS = 2_000


class SummarySink:
    """An `events.writer.Sink` into event files of a log directory."""

    def __init__(self, log_dir: str) -> None:
        """Makes the log directory and tries it.

        Raises:
            LogDirectoryError: If it can't be written.
        """
        probe = os.path.join(log_dir, f".nanwatch-{os.getpid()}")
        try:
            tf.io.gfile.makedirs(log_dir)
            with tf.io.gfile.GFile(probe, "w") as file:
                file.write("")
            tf.io.gfile.remove(probe)
            self._writer = tf.summary.create_file_writer(
                log_dir, flush_millis=_FLUSH_MILLISECONDS, filename_suffix=".nanwatch"
            )
        except (tf.errors.OpError, OSError) as error:
            reason = getattr(error, "message", None) or str(error)
            raise LogDirectoryError(
                f"can't write to the log directory {log_dir!r}: {reason}. Choose another `log_dir`, or make it writable"
            ) from error

    def __call__(self, tag: str, value: Any, step: int, metadata: bytes | None) -> None:
        """Writes one summary, whatever the user's own `tf.summary.record_if` says."""
        # init_scope: a callback may run while somebody's graph is being built.
        with tf.init_scope(), self._writer.as_default(), tf.summary.record_if(True):
            tf.summary.write(tag, value, step=step, metadata=metadata)

    def flush(self) -> None:
        """Brings everything to the disk."""
        self._writer.flush()

    def close(self) -> None:
        """Flushes and ends the file."""
        self._writer.close()
