"""Feeds records to rules and keeps what they say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tb_nanwatch.detect.birthplace import BIRTH_WORDS, Birthplace, find_birthplace
from tb_nanwatch.detect.incidents import Incident
from tb_nanwatch.model.alert import Alert
from tb_nanwatch.model.record import Record
from tb_nanwatch.model.severity import Severity, Status
from tb_nanwatch.model.site import Site
from tb_nanwatch.rules.catalog import RULES
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.rule import PHASE_OF_KIND, Finding, Rule
from tb_nanwatch.rules.thresholds import Thresholds

_NAMED_DOWNSTREAM = 3


class Engine:
    """Judges the samples of one training, one at a time.

    The same records give the same alerts and statuses, in whatever chunks they arrive; only `seen`
    depends on when the host came to know.

    Attributes:
        sites: The sites of every record, in forward order.
        layers: Layer paths in forward order; statuses stand in this order.
        alerts: What was told so far.
    """

    def __init__(self, sites: Sequence[Site], thresholds: Thresholds | None = None) -> None:
        self.sites = tuple(sites)
        self.layers = tuple(dict.fromkeys(site.layer for site in self.sites))
        self.alerts: list[Alert] = []
        self._thresholds = thresholds or Thresholds()
        self._history = History(self.sites)
        self._incidents = {rule.id: Incident() for rule in RULES}
        place = {layer: index for index, layer in enumerate(self.layers)}
        self._layer_of = np.array([place[site.layer] for site in self.sites], dtype=np.int64)
        self._last_step: int | None = None

    def feed(self, record: Record, seen: int | None = None) -> npt.NDArray[np.uint8]:
        """Judges the next sample.

        Args:
            record: The sample. One whose step isn't greater than the last one's is left out: an earlier
                sample has been told of already.
            seen: Step that has just ended; by default the record's own.

        Returns:
            uint8 `[layers]`: each layer's status at this sample, as `Status` numbers them.
        """
        statuses = np.full(len(self.layers), Status.UNKNOWN, dtype=np.uint8)
        if self._last_step is not None and record.step <= self._last_step:
            return statuses
        self._last_step = record.step
        self._history.add(record)
        measured = ~np.isnan(record.values[:, -1])
        statuses[self._layer_of[measured]] = Status.HEALTHY
        for rule in RULES:
            if not self._thresholds.is_on(rule.id):
                continue
            findings = list(rule.judge(self._history, self._thresholds[rule.id]))
            for finding in findings:
                if finding.severity > Severity.INFO:
                    layers = self._layer_of[[finding.site, *finding.also]]
                    statuses[layers] = np.maximum(statuses[layers], rule.status)
            told = self._incidents[rule.id].take(findings)
            if told is not None:
                self.alerts.append(self._alert(rule, told, findings, record.step if seen is None else seen))
        return statuses

    def _alert(self, rule: Rule, finding: Finding, findings: list[Finding], seen: int) -> Alert:
        if rule.status is Status.NONFINITE:
            return self._nonfinite_alert(findings, seen)
        site = self.sites[finding.site]
        words = rule.explain(self._history, finding)
        others = len({self.sites[each.site].layer for each in findings} - {site.layer})
        message = words.message + (f" (and {others} more {'layer' if others == 1 else 'layers'})" if others else "")
        return Alert(
            step=int(self._history.steps[-1]),
            severity=finding.severity.word,
            rule=rule.id,
            layer=site.layer,
            phase=PHASE_OF_KIND[site.kind],
            statistic=finding.statistic,
            value=finding.value,
            threshold=finding.threshold,
            onset=finding.onset,
            forecast=finding.forecast,
            seen=seen,
            message=message,
            cause=words.cause,
            advice=words.advice,
        )

    def _nonfinite_alert(self, findings: list[Finding], seen: int) -> Alert:
        birthplace = find_birthplace(self._history, findings)
        site = self.sites[birthplace.site]
        words = BIRTH_WORDS[birthplace.phase]
        count = next(finding.value for finding in findings if finding.site == birthplace.evidence)
        place, elements = site.label, f"{count:.0f} {'element' if count == 1 else 'elements'}"
        if birthplace.phase == "backward":
            place = f"`{site.layer}`"
            elements += f" of {self.sites[birthplace.evidence].label}"
        return Alert(
            step=birthplace.step,
            severity=Severity.CRITICAL.word,
            rule="nonfinite",
            layer=site.layer,
            phase=birthplace.phase,
            statistic="nonfinite_count",
            value=count,
            threshold=0.0,
            onset=birthplace.step,
            forecast=None,
            seen=seen,
            message=(
                f"the first non-finite value was born at step {birthplace.step} in {words[0].format(site=place)}: "
                f"{elements}{_downstream(birthplace)}"
            ),
            cause=words[1],
            advice=words[2],
        )


def _downstream(birthplace: Birthplace) -> str:
    labels = birthplace.downstream
    if not labels:
        return ""
    named = ", ".join(labels[:_NAMED_DOWNSTREAM])
    more = len(labels) - _NAMED_DOWNSTREAM
    return f"; it spread to {named}" + (f" and {more} more" if more > 0 else "")
