"""The numbers that a run is judged by."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from typing import Any

from tb_nanwatch.errors import InvalidArgumentError
from tb_nanwatch.rules.catalog import RULES


class Thresholds:
    """Every rule's numbers: the defaults, and what you set.

    Example:

    >>> thresholds = Thresholds(growth={"horizon": 20}, penalty_share=False)
    >>> thresholds["growth"]["horizon"]
    20.0
    >>> thresholds.is_on("penalty_share")
    False

    Args:
        **rules: By rule id, a mapping from names of thresholds to numbers; False switches the rule off.

    Raises:
        InvalidArgumentError: For a rule or threshold that doesn't exist (with the nearest that does), or
            a value that isn't a finite number of at least the threshold's minimum.
    """

    def __init__(self, /, **rules: Mapping[str, float] | bool) -> None:
        self._numbers = {rule.id: {each.name: float(each.default) for each in rule.thresholds} for rule in RULES}
        self._off: set[str] = set()
        for rule, given in rules.items():
            self._set(rule, given)

    def __getitem__(self, rule: str) -> Mapping[str, float]:
        """The numbers of one rule, by name."""
        return self._numbers[rule]

    def is_on(self, rule: str) -> bool:
        """Whether a rule is judged at all."""
        return rule not in self._off

    def as_dict(self) -> dict[str, Any]:
        """What `Thresholds(**...)` takes to make the same again."""
        return {rule: False if rule in self._off else dict(numbers) for rule, numbers in self._numbers.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thresholds) and self.as_dict() == other.as_dict()

    __hash__ = None  # type: ignore[assignment]  # compares by its numbers, which are not hashable

    def __repr__(self) -> str:
        return f"Thresholds({', '.join(f'{rule}={numbers!r}' for rule, numbers in self.as_dict().items())})"

    def _set(self, rule: str, given: Any) -> None:
        if rule not in self._numbers:
            raise InvalidArgumentError(f"there is no rule {rule!r}{_nearest(rule, self._numbers)}")
        if isinstance(given, bool):
            (self._off.discard if given else self._off.add)(rule)
            return
        if not isinstance(given, Mapping):
            raise InvalidArgumentError(
                f"the thresholds of rule {rule!r} must be a mapping from names to numbers, or False to switch it "
                f"off. Received: {given!r}"
            )
        minimum = {each.name: each.minimum for each in _rule(rule).thresholds}
        for name, value in given.items():
            if name not in minimum:
                raise InvalidArgumentError(f"rule {rule!r} has no threshold {name!r}{_nearest(str(name), minimum)}")
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not _is_finite(value):
                raise InvalidArgumentError(f"threshold {rule}.{name} must be a finite number. Received: {value!r}")
            if value < minimum[name]:
                raise InvalidArgumentError(
                    f"threshold {rule}.{name} must be at least {minimum[name]:g}. Received: {value!r}"
                )
            self._numbers[rule][name] = float(value)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _rule(rule_id: str) -> Any:
    return next(rule for rule in RULES if rule.id == rule_id)


def _nearest(word: str, names: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(names) or 'none'}"
