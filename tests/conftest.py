"""What several tests share: real trainings, made once, and a real browser."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
# The same examples in every run, and none that fails because the machine is busy.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The failing and the fixed demonstration, trained in processes of their own as a user would."""
    log_dir = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "tb_nanwatch", "demo", "notmnist", "--no-serve", "--logdir", str(log_dir)]
    failing, fixed = (
        subprocess.run([*command, *more], capture_output=True, text=True, timeout=300, check=False)
        for more in ([], ["--fixed"])
    )
    return Demo(log_dir, failing, fixed)


class Demo:
    def __init__(self, log_dir: pathlib.Path, failing, fixed) -> None:
        self.log_dir = log_dir
        self.failing = failing
        self.fixed = fixed

    def run(self, kind: str) -> str:
        """The run's name, as TensorBoard has it."""
        (name,) = [path.name for path in self.log_dir.iterdir() if f"-{kind}-" in path.name]
        return name


@pytest.fixture(scope="session")
def chromium():
    """Path of a Chromium."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("NANWATCH_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    assert path, "no Chromium found: install one, or name it by NANWATCH_CHROMIUM"
    return path
