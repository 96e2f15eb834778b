"""A real TensorBoard in a process of its own."""

import contextlib
import http.client
import json
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import numpy as np


class TensorBoard:
    """Asks a running TensorBoard."""

    def __init__(self, address: str, log: str) -> None:
        self.address = address
        self._log = log

    def get(self, route: str, **parameters):
        """Answers (status, headers, body) of one of the plugin's routes."""
        query = urllib.parse.urlencode(parameters)
        url = f"{self.address}data/plugin/nanwatch/{route}" + (f"?{query}" if query else "")
        try:
            with urllib.request.urlopen(url, timeout=60) as response:
                return response.status, dict(response.headers), response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, dict(error.headers), error.read()

    def json(self, route: str, **parameters):
        status, _, body = self.get(route, **parameters)
        assert status == 200, body
        return json.loads(body)

    def array(self, route: str, **parameters):
        """Answers (header, values) of an array response."""
        status, _, body = self.get(route, **parameters)
        assert status == 200, body
        return decode(body)

    def wait_for_runs(self, count: int) -> list:
        """Waits until TensorBoard has read so many runs, and returns them."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            runs = self.json("runs")["runs"]
            if len(runs) >= count:
                return runs
            time.sleep(0.5)
        raise AssertionError(f"TensorBoard shows {len(runs)} of {count} runs after a minute: {self.output()}")

    def output(self) -> str:
        """What the process has printed."""
        with open(self._log, encoding="utf-8") as file:
            return file.read()


def decode(body: bytes):
    (length,) = struct.unpack_from("<I", body)
    header = json.loads(body[4 : 4 + length])
    values = np.frombuffer(body, dtype=header["dtype"], offset=4 + length).reshape(header["shape"])
    return header, values


@contextlib.contextmanager
def running_tensorboard(log_dir, *flags: str):
    """Starts TensorBoard on a log directory, on a port that it finds itself."""
    with tempfile.NamedTemporaryFile("w+", suffix=".log") as log:
        command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(log_dir), "--port", "0", *flags]
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            yield TensorBoard(_address(process, log.name), log.name)
        finally:
            # The data server is its child; the group is ours alone.
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(timeout=20)


def _address(process, log: str) -> str:
    end = time.monotonic() + 90
    while time.monotonic() < end:
        with open(log, encoding="utf-8") as file:
            text = file.read()
        found = re.search(r"http://[^\s]+", text.partition("TensorBoard ")[2])
        if found:
            address = found.group().rstrip("/") + "/"
            with contextlib.suppress(OSError, http.client.HTTPException):
                urllib.request.urlopen(address, timeout=10).close()
                return address
        assert process.poll() is None, f"TensorBoard has ended: {text}"
        time.sleep(0.2)
    raise AssertionError(f"TensorBoard has not started: {text}")
