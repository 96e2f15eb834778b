"""Wheel and sdist, built as a user's pip builds them."""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parent.parent
PAGE = "tb_nanwatch/plugin/static/index.js"
# Nothing listens there.
UNREACHABLE = {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_cache": "/nonexistent"}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """The tree as it would be cloned: nothing built."""
    folder = tmp_path_factory.mktemp("checkout") / "tb_nanwatch"
    left_out = shutil.ignore_patterns(
        ".git", ".venv", "node_modules", "static", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", "logs"
    )
    shutil.copytree(ROOT, folder, ignore=left_out)
    return folder


@pytest.fixture(scope="module")
def sdist(checkout, tmp_path_factory):
    out = tmp_path_factory.mktemp("sdist")
    script = f"from setuptools import build_meta; build_meta.build_sdist({str(out)!r})"
    done = subprocess.run([sys.executable, "-c", script], cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = out.glob("*.tar.gz")
    return path


def build_wheel(source, out, **environment):
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(out), str(source)]
    return subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=600, check=False
    )


def names_in(wheel_folder):
    (path,) = wheel_folder.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        return set(wheel.namelist())


def test_a_wheel_from_a_checkout_holds_the_page(checkout, tmp_path):
    done = build_wheel(checkout, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    names = names_in(tmp_path)
    assert {PAGE, "tb_nanwatch/py.typed", "tb_nanwatch/plugin/http_api.md"} <= names
    assert not [name for name in names if name.startswith(("tests", "frontend"))]


def test_an_sdist_carries_the_page_and_needs_no_npm(sdist, tmp_path):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {PAGE, "frontend/src/index.tsx", "frontend/package-lock.json", "LICENSE"} <= names
    assert not [name for name in names if "node_modules" in name]
    done = build_wheel(sdist, tmp_path, **UNREACHABLE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert PAGE in names_in(tmp_path)


def test_a_registry_that_can_not_be_reached_is_said_in_words(checkout, tmp_path):
    bare = tmp_path / "bare"
    shutil.copytree(checkout, bare, ignore=shutil.ignore_patterns("node_modules", "static", "build"))
    done = build_wheel(bare, tmp_path, **{**UNREACHABLE, "npm_config_cache": str(tmp_path / "cache")})
    assert done.returncode != 0
    assert "the page of tb_nanwatch can't be built" in done.stdout + done.stderr
    assert "the npm registry can't be reached" in done.stdout + done.stderr
