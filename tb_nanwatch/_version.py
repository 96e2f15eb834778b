"""The one place that holds the version; setup, the log's header and `tb-nanwatch --version` read it."""

__version__ = "0.1.0"
