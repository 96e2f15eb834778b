"""Reads the command line and runs one command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tb_nanwatch._version import __version__
from tb_nanwatch.cli import demo
from tb_nanwatch.errors import NanWatchError


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `tb-nanwatch` with these arguments, by default the process's own; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="tb-nanwatch", description="Watches the health of every layer while a network trains."
    )
    parser.add_argument("--version", action="version", version=f"tb-nanwatch {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    demo.add_command(commands)
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except NanWatchError as error:
        print(f"tb-nanwatch: {error}", file=sys.stderr)
        return 2
