"""One run as the page sees it: its sessions joined, judged, and laid out in arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tb_nanwatch.detect.engine import Engine
from tb_nanwatch.detect.verdict import Verdict, verdict
from tb_nanwatch.events.reader import SessionLog
from tb_nanwatch.model.alert import Alert
from tb_nanwatch.model.severity import Status
from tb_nanwatch.model.site import Site
from tb_nanwatch.model.statistic import STATISTICS
from tb_nanwatch.rules.thresholds import Thresholds


@dataclasses.dataclass(frozen=True)
class RunView:
    """A run, ready to be asked.

    Attributes:
        sites: Sites of the newest session, in forward order.
        layers: Their layers, in forward order.
        thresholds: What the newest session was judged by.
        steps: int64 `[samples]`.
        values: float32 `[samples, sites, statistics]`; NaN where an older session didn't measure a site.
        statuses: uint8 `[samples, layers]`.
        trail_steps: int64 `[steps]`.
        trail_loss: float32 `[steps]`.
        alerts: As they were told.
        verdict: The run in one sentence.
    """

    sites: tuple[Site, ...]
    layers: tuple[str, ...]
    thresholds: Thresholds
    steps: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32]
    statuses: npt.NDArray[np.uint8]
    trail_steps: npt.NDArray[np.int64]
    trail_loss: npt.NDArray[np.float32]
    alerts: tuple[Alert, ...]
    verdict: Verdict


def view_run(sessions: Sequence[SessionLog]) -> RunView:
    """Joins sessions, the oldest first: a later one replaces what an earlier one holds from its first step on."""
    newest = sessions[-1]
    layers = tuple(dict.fromkeys(site.layer for site in newest.sites))
    parts = [_Part(session, newest, layers, _end(sessions[index + 1 :])) for index, session in enumerate(sessions)]
    steps = np.concatenate([part.steps for part in parts])
    statuses = np.concatenate([part.statuses for part in parts])
    alerts = tuple(alert for part in parts for alert in part.alerts)
    trail = {step: loss for part in parts for step, loss in part.trail.items()}
    trail_steps = np.array(sorted(trail), dtype=np.int64)
    known = [int(each[-1]) for each in (steps, trail_steps) if each.size]
    worst = Status(int(statuses[-1].max())) if statuses.size else Status.UNKNOWN
    return RunView(
        sites=newest.sites,
        layers=layers,
        thresholds=newest.thresholds,
        steps=steps,
        values=np.concatenate([part.values for part in parts]),
        statuses=statuses,
        trail_steps=trail_steps,
        trail_loss=np.array([trail[step] for step in trail_steps.tolist()], dtype=np.float32),
        alerts=alerts,
        verdict=verdict(alerts, max(known, default=None), worst),
    )


def _end(later: Sequence[SessionLog]) -> int | None:
    """Step at which later sessions take over, if there are any."""
    return min((session.first_step for session in later), default=None)


class _Part:
    """What one session adds to its run."""

    def __init__(self, session: SessionLog, newest: SessionLog, layers: tuple[str, ...], end: int | None) -> None:
        records = [session.records[step] for step in sorted(session.records) if end is None or step < end]
        self.steps = np.array([record.step for record in records], dtype=np.int64)
        self.trail = {step: loss for step, loss in session.trail.items() if end is None or step < end}
        self.alerts = [alert for _, alert in sorted(session.alerts.items()) if end is None or alert.step < end]
        engine = Engine(session.sites, session.thresholds)
        judged = [engine.feed(record) for record in records]
        source = {(site.layer, site.kind, site.name): index for index, site in enumerate(session.sites)}
        columns = [source.get((site.layer, site.kind, site.name)) for site in newest.sites]
        self.values = np.full((len(records), len(newest.sites), len(STATISTICS)), np.nan, dtype=np.float32)
        self.statuses = np.zeros((len(records), len(layers)), dtype=np.uint8)
        if not records:
            return
        known = [index for index, column in enumerate(columns) if column is not None]
        taken = [column for column in columns if column is not None]
        with np.errstate(over="ignore"):
            self.values[:, known] = np.stack([record.values for record in records])[:, taken]
        place = {layer: index for index, layer in enumerate(engine.layers)}
        shown = [index for index, layer in enumerate(layers) if layer in place]
        self.statuses[:, shown] = np.stack(judged)[:, [place[layers[index]] for index in shown]]
