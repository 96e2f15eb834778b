"""`tb-nanwatch demo`: trains a shipped example and opens TensorBoard on it."""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import pathlib
import subprocess
import sys
import time
from typing import Any

from tb_nanwatch.detect.verdict import verdict
from tb_nanwatch.errors import InvalidArgumentError

NAMES = ("notmnist",)
_DEFAULT_LOGDIR = os.path.join("logs", "demo")


def add_command(commands: Any) -> None:
    """Adds `demo` to the commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "demo", help="train a shipped example under watch and open TensorBoard on it"
    )
    parser.add_argument("name", nargs="?", default=NAMES[0], choices=NAMES, help="the example (default: %(default)s)")
    parser.add_argument("--fixed", action="store_true", help="train the cured version instead of the failing one")
    parser.add_argument("--logdir", default=_DEFAULT_LOGDIR, help="where runs are written (default: %(default)s)")
    parser.add_argument("--no-serve", action="store_true", help="don't start TensorBoard afterwards")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Trains, prints what was told, and serves the log."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    logging.basicConfig(format="%(levelname)s %(message)s", stream=sys.stdout, force=True)
    try:
        example = importlib.import_module(f"tb_nanwatch.cli.demos.{options.name}")
    except ModuleNotFoundError as error:
        raise InvalidArgumentError(
            f"the example needs the package {error.name!r}, which is not installed: pip install 'tb-nanwatch[demo]'"
        ) from error
    kind = "fixed" if options.fixed else "failing"
    log_dir = pathlib.Path(options.logdir) / f"{options.name}-{kind}-{time.strftime('%Y%m%d-%H%M%S')}"
    print(f"training the {kind} version of {options.name}; the log goes to {log_dir}", flush=True)
    result = example.train(str(log_dir), fixed=options.fixed)
    told = len(result.alerts)
    print(f"{result.steps} steps, {told} {'alert' if told == 1 else 'alerts'}. {result.summary}")
    print(verdict(result.alerts, result.steps - 1).sentence, flush=True)
    if options.no_serve:
        return 0
    print("TensorBoard prints its address below; open the tab NaNWatch there, and end it with Ctrl-C", flush=True)
    return subprocess.call([sys.executable, "-m", "tensorboard.main", "--logdir", str(options.logdir)])
