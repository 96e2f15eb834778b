"""The plugin that TensorBoard serves."""

from __future__ import annotations

import mimetypes
import pathlib
from collections.abc import Callable
from typing import Any

from tensorboard.plugins import base_plugin
from werkzeug import wrappers

from tb_nanwatch.events.format import PLUGIN_NAME
from tb_nanwatch.plugin.responses import Handler, respond, route
from tb_nanwatch.plugin.routes import Routes
from tb_nanwatch.plugin.store import Store

_STATIC = pathlib.Path(__file__).parent / "static"
_ENTRY = "/index.js"
_NOT_BUILT = (
    'export function render() { document.body.textContent = "The page of NaNWatch is not built. '
    'Run `pip install .` in the checkout, or `npm ci && npm run build` in frontend/."; }'
)


class NanWatchPlugin(base_plugin.TBPlugin):
    """Serves the page and its data; writes nothing."""

    plugin_name = PLUGIN_NAME

    def __init__(self, context: base_plugin.TBContext) -> None:
        self._routes = Routes(Store(context.data_provider))

    def get_plugin_apps(self) -> dict[str, Callable[..., Any]]:
        """The routes of `http_api.md` and the page's files."""
        return {path: route(handler) for path, handler in {**_page(), **self._routes.handlers()}.items()}

    def is_active(self) -> bool:
        """Leaves the question to TensorBoard, which knows which plugins a log directory has data of."""
        return False

    def frontend_metadata(self) -> base_plugin.FrontendMetadata:
        """Where the page is, and the name of its tab."""
        return base_plugin.FrontendMetadata(es_module_path=_ENTRY, tab_name="NaNWatch")


def _page() -> dict[str, Handler]:
    files = {f"/{path.relative_to(_STATIC).as_posix()}": path for path in sorted(_STATIC.rglob("*")) if path.is_file()}
    handlers = {name: _file(path) for name, path in files.items()}
    return handlers if _ENTRY in handlers else {**handlers, _ENTRY: _not_built}


def _file(path: pathlib.Path) -> Handler:
    content_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix == ".js":
        content_type = "application/javascript"

    def handler(request: wrappers.Request) -> wrappers.Response:
        return respond(request, path.read_bytes(), content_type)

    return handler


def _not_built(request: wrappers.Request) -> wrappers.Response:
    return respond(request, _NOT_BUILT, "application/javascript")
