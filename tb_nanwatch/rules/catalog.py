"""All rules, in the order in which they are judged."""

from __future__ import annotations

from typing import Final

from tb_nanwatch.rules import growth, initial_scale, nonfinite, penalty_share
from tb_nanwatch.rules.rule import Rule

RULES: Final[tuple[Rule, ...]] = (nonfinite.RULE, initial_scale.RULE, growth.RULE, penalty_share.RULE)
