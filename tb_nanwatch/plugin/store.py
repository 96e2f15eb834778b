"""Reads runs through TensorBoard's data provider, and again only where something is new."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Mapping

from tensorboard.context import RequestContext
from tensorboard.data import provider

from tb_nanwatch.events.format import PLUGIN_NAME
from tb_nanwatch.events.reader import Event, RunLog
from tb_nanwatch.plugin.parameters import RequestError
from tb_nanwatch.plugin.run_view import RunView, view_run

_MOST_EVENTS = 1_000_000


@dataclasses.dataclass
class _Run:
    log: RunLog = dataclasses.field(default_factory=RunLog)
    read: dict[str, tuple[int, float]] = dataclasses.field(default_factory=dict)
    view: RunView | None = None
    updated: float = 0.0
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """A run at one moment: its view, the wall time of its newest event, and what could not be read."""

    view: RunView | None
    updated: float
    problem: str | None


class Store:
    """All runs of the log directory."""

    def __init__(self, data_provider: provider.DataProvider) -> None:
        self._provider = data_provider
        self._runs: dict[tuple[str, str], _Run] = {}
        self._lock = threading.Lock()

    def runs(self, context: RequestContext, experiment: str) -> dict[str, Snapshot]:
        """All runs that hold data of ours, by name."""
        listing = self._provider.list_tensors(context, experiment_id=experiment, plugin_name=PLUGIN_NAME)
        return {run: self._snapshot(context, experiment, run, listing[run]) for run in sorted(listing)}

    def run(self, context: RequestContext, experiment: str, run: str) -> RunView:
        """One run.

        Raises:
            RequestError: 404 if there is none of that name, or nothing of it can be read.
        """
        listing = self._provider.list_tensors(
            context,
            experiment_id=experiment,
            plugin_name=PLUGIN_NAME,
            run_tag_filter=provider.RunTagFilter(runs=[run]),
        )
        if run not in listing:
            raise RequestError(404, f"there is no run {run[:200]!r} with data of NaNWatch")
        snapshot = self._snapshot(context, experiment, run, listing[run])
        if snapshot.view is None:
            raise RequestError(404, snapshot.problem or f"run {run[:200]!r} holds nothing that can be read")
        return snapshot.view

    def _snapshot(
        self, context: RequestContext, experiment: str, run: str, tags: Mapping[str, provider.TensorTimeSeries]
    ) -> Snapshot:
        with self._lock:
            state = self._runs.setdefault((experiment, run), _Run())
        with state.lock:
            self._refresh(context, experiment, run, tags, state)
            return Snapshot(state.view, state.updated, "; ".join(state.log.problems) or None)

    def _refresh(
        self,
        context: RequestContext,
        experiment: str,
        run: str,
        tags: Mapping[str, provider.TensorTimeSeries],
        state: _Run,
    ) -> None:
        newest = {tag: (series.max_step, series.max_wall_time) for tag, series in tags.items()}
        changed = [tag for tag, version in newest.items() if state.read.get(tag) != version]
        if not changed:
            return
        for tag in sorted(changed):
            # One tag at a time: a single answer of more than 256 MiB fails.
            found = self._provider.read_tensors(
                context,
                experiment_id=experiment,
                plugin_name=PLUGIN_NAME,
                downsample=_MOST_EVENTS,
                run_tag_filter=provider.RunTagFilter(runs=[run], tags=[tag]),
            )
            data = found.get(run, {}).get(tag, ())
            state.log.take(tag, tags[tag].plugin_content, [Event(datum.step, datum.numpy) for datum in data])
            state.read[tag] = newest[tag]
        state.updated = max(wall_time for _, wall_time in newest.values())
        sessions = state.log.in_order()
        state.view = view_run(sessions) if sessions else None
