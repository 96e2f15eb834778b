"""Groups what a rule finds, sample after sample and site after site, so that one trouble is told once."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tb_nanwatch.model.severity import Severity
from tb_nanwatch.rules.rule import Finding

_QUIET_SAMPLES = 10


@dataclasses.dataclass
class Incident:
    """What one rule has found since it last found nothing.

    A rule that keeps finding something, at whatever site, is one incident; it is told when it begins
    and when it becomes graver. It ends after 10 samples without a finding, so that it doesn't flicker.
    """

    severity: Severity | None = None
    quiet: int = 0

    def take(self, findings: Sequence[Finding]) -> Finding | None:
        """Takes in the findings of one sample; returns the one to tell, if any."""
        if not findings:
            self.quiet += 1
            if self.quiet >= _QUIET_SAMPLES:
                self.severity = None
            return None
        self.quiet = 0
        gravest = max(finding.severity for finding in findings)
        if self.severity is not None and gravest <= self.severity:
            return None
        self.severity = gravest
        return next(finding for finding in findings if finding.severity is gravest)
