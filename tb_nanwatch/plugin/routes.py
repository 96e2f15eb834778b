"""What the routes of `http_api.md` answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from tensorboard import plugin_util
from werkzeug import wrappers

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.statistic import MEAN, STATISTICS
from tb_nanwatch.plugin import parameters
from tb_nanwatch.plugin.parameters import MOST_VALUES, RequestError, Window
from tb_nanwatch.plugin.responses import Handler, array_response, json_response
from tb_nanwatch.plugin.run_view import RunView
from tb_nanwatch.plugin.store import Snapshot, Store
from tb_nanwatch.rules.catalog import RULES


class Routes:
    """Handlers by route, on one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def handlers(self) -> dict[str, Handler]:
        """The handler of each route."""
        return {
            "/runs": self.runs,
            "/layout": self.layout,
            "/statuses": self.statuses,
            "/values": self.values,
            "/loss": self.loss,
            "/penalties": self.penalties,
            "/alerts": self.alerts,
        }

    def runs(self, request: wrappers.Request) -> wrappers.Response:
        """All runs and their verdicts."""
        snapshots = self._store.runs(plugin_util.context(request.environ), plugin_util.experiment_id(request.environ))
        return json_response(request, {"runs": [_summary(run, snapshot) for run, snapshot in snapshots.items()]})

    def layout(self, request: wrappers.Request) -> wrappers.Response:
        """What a run measures, and its thresholds."""
        view = self._view(request)
        place = {layer: index for index, layer in enumerate(view.layers)}
        layers: list[dict[str, Any]] = [{"path": layer, "type": "", "sites": []} for layer in view.layers]
        for index, site in enumerate(view.sites):
            layers[place[site.layer]]["sites"].append(index)
            layers[place[site.layer]]["type"] = site.layer_type
        sites = [
            {
                "layer": place[site.layer],
                "kind": site.kind.value,
                "name": site.name,
                "dtype": site.dtype,
                "shape": list(site.shape),
            }
            for site in view.sites
        ]
        return json_response(
            request,
            {
                "run": parameters.run(request),
                "statistics": list(STATISTICS),
                "layers": layers,
                "sites": sites,
                "thresholds": _thresholds(view),
            },
        )

    def statuses(self, request: wrappers.Request) -> wrappers.Response:
        """Statuses of all layers."""
        view = self._view(request)
        rows = _rows(view, parameters.window(request))
        return array_response(request, view.statuses[rows], view.steps[rows])

    def values(self, request: wrappers.Request) -> wrappers.Response:
        """One statistic of some sites."""
        view = self._view(request)
        statistic = parameters.statistic(request)
        sites = parameters.sites(request, len(view.sites))
        rows = _rows(view, parameters.window(request))
        count = (rows.stop - rows.start) * len(sites)
        if count > MOST_VALUES:
            raise RequestError(
                400, f"{count} values were asked for; {MOST_VALUES} are the most: ask for fewer steps or sites"
            )
        values = view.values[rows][:, sites, statistic]
        return array_response(request, values, view.steps[rows], statistic=STATISTICS[statistic], sites=sites)

    def loss(self, request: wrappers.Request) -> wrappers.Response:
        """The loss at every step."""
        view = self._view(request)
        return array_response(request, view.trail_loss[:, None], view.trail_steps)

    def penalties(self, request: wrappers.Request) -> wrappers.Response:
        """The loss and each penalty at each sample."""
        view = self._view(request)
        penalties = [index for index, site in enumerate(view.sites) if site.kind is Kind.PENALTY]
        losses = [index for index, site in enumerate(view.sites) if site.kind is Kind.LOSS]
        total = view.values[:, losses[:1], MEAN] if losses else np.full((len(view.steps), 1), np.nan, dtype=np.float32)
        values = np.concatenate([total, view.values[:, penalties, MEAN]], axis=1)
        names = [f"{view.sites[index].layer}/{view.sites[index].name}" for index in penalties]
        return array_response(request, values, view.steps, columns=["loss", *names])

    def alerts(self, request: wrappers.Request) -> wrappers.Response:
        """The alerts as they were told."""
        return json_response(request, {"alerts": [alert.as_dict() for alert in self._view(request).alerts]})

    def _view(self, request: wrappers.Request) -> RunView:
        return self._store.run(
            plugin_util.context(request.environ),
            plugin_util.experiment_id(request.environ),
            parameters.run(request),
        )


def _summary(run: str, snapshot: Snapshot) -> dict[str, Any]:
    view = snapshot.view
    steps = (
        []
        if view is None
        else [int(step) for array in (view.steps, view.trail_steps) for step in array[[0, -1]] if array.size]
    )
    return {
        "run": run,
        "status": "unknown" if view is None else view.verdict.status.word,
        "sentence": "nothing of this run can be read" if view is None else view.verdict.sentence,
        "layer": None if view is None else view.verdict.layer,
        "step": None if view is None else view.verdict.step,
        "first_step": min(steps, default=None),
        "last_step": max(steps, default=None),
        "samples": 0 if view is None else len(view.steps),
        "layers": 0 if view is None else len(view.layers),
        "alerts": 0 if view is None else len(view.alerts),
        "updated": snapshot.updated,
        "problem": snapshot.problem,
    }


def _rows(view: RunView, window: Window) -> slice:
    first, last = np.searchsorted(view.steps, [window.first, window.last + 1])
    return slice(int(first), max(int(first), int(last)))


def _thresholds(view: RunView) -> list[dict[str, Any]]:
    return [
        {
            "rule": rule.id,
            "name": threshold.name,
            "value": view.thresholds[rule.id][threshold.name],
            "unit": threshold.unit,
            "meaning": threshold.meaning,
        }
        for rule in RULES
        if view.thresholds.is_on(rule.id)
        for threshold in rule.thresholds
    ]
