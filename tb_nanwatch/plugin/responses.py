"""Answers, in the two shapes that `http_api.md` knows."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from tensorboard.backend import http_util
from werkzeug import wrappers

from tb_nanwatch.plugin.parameters import RequestError

Handler = Callable[[wrappers.Request], wrappers.Response]


def respond(request: wrappers.Request, content: Any, content_type: str, code: int = 200) -> wrappers.Response:
    """An answer as TensorBoard gives them: compressed where that helps, and never cached."""
    response: wrappers.Response = http_util.Respond(request, content, content_type, code=code)
    return response


def json_response(request: wrappers.Request, content: Any, code: int = 200) -> wrappers.Response:
    """JSON; numbers that aren't finite become strings."""
    return respond(request, content, "application/json", code=code)


def array_response(
    request: wrappers.Request, values: npt.NDArray[Any], steps: npt.NDArray[np.int64], **more: Any
) -> wrappers.Response:
    """A header in JSON, then the values, little-endian and row-major."""
    header = {"dtype": values.dtype.name, "shape": list(values.shape), "steps": steps.tolist(), **more}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(4 + len(text)) % 8)
    little_endian = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
    content = struct.pack("<I", len(text)) + text + little_endian.tobytes()
    return respond(request, content, "application/octet-stream")


def route(handler: Handler) -> Callable[..., Any]:
    """Makes a WSGI application of a handler: GET only, errors as JSON with their code."""

    @wrappers.Request.application
    def application(request: wrappers.Request) -> wrappers.Response:
        if request.method not in ("GET", "HEAD"):
            response = json_response(request, {"error": f"method {request.method[:20]} is not allowed; use GET"}, 405)
            response.headers["Allow"] = "GET, HEAD"
            return response
        try:
            return handler(request)
        except RequestError as error:
            return json_response(request, {"error": str(error)}, error.code)

    return application
