"""Where the first value that isn't finite was born."""

from __future__ import annotations

import dataclasses

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.site import Site
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.rule import PHASE_OF_KIND, Finding

BIRTH_WORDS = {
    "data": (
        "the data, {site}",
        "A batch holds a NaN or an infinity.",
        "Clean the data set; look for missing values, divisions by zero and logarithms of zero in its preparation.",
    ),
    "forward": (
        "the forward pass of {site}",
        "The layer's inputs are finite and its output is not: its values overflow their type, or an operation left "
        "its domain.",
        "If warnings came before, follow the first of them; else look at what this layer computes and add an epsilon "
        "or a clip there.",
    ),
    "loss": (
        "the loss, {site}",
        "Every layer's output is finite and the loss is not: a log of zero, a division by zero, or a square that "
        "overflows.",
        "Use a loss that takes logits (`from_logits=True`), add an epsilon inside logarithms, roots and divisions, and "
        "scale the targets.",
    ),
    "backward": (
        "the backward pass of {site}",
        "Loss and activations are finite and a gradient is not: a derivative that is infinite at this point (a root or "
        "norm at zero, a `where` that hides a bad branch), or one that overflows.",
        "Add an epsilon inside roots and norms, guard both branches of a `where`, clip gradients.",
    ),
    "update": (
        "the optimizer's update of {site}",
        "The gradients were finite and the weights after the update are not: the step overflowed, or the square of a "
        "gradient did.",
        "Lower the learning rate, clip gradients by norm, or raise the optimizer's epsilon.",
    ),
}
"""By phase: the place of birth in words, the likely cause, what to try."""


@dataclasses.dataclass(frozen=True)
class Birthplace:
    """The place of birth.

    Attributes:
        site: Index of the site that stands for the place. It need not be bad itself: a layer whose
            backward pass hands on a bad gradient was given a good one.
        evidence: Index of the first site that is bad.
        step: Step at which it arose.
        phase: `data`, `forward`, `loss`, `backward` or `update`.
        downstream: Labels of the other sites that aren't finite, in forward order.
    """

    site: int
    evidence: int
    step: int
    phase: str
    downstream: tuple[str, ...]


def find_birthplace(history: History, findings: list[Finding]) -> Birthplace:
    """Finds the first cause among the sites that aren't finite at the newest sample.

    A training step runs through data, the forward pass, the loss, the backward pass and the update of the
    weights, in this order; the first of these that isn't finite made the rest so.

    Args:
        history: The samples; the newest one is whole.
        findings: The findings of rule `nonfinite` at the newest sample, at least one.
    """
    sites = history.sites
    bad = sorted(finding.site for finding in findings)
    step = int(history.steps[-1])

    def born(first: int, place: int | None = None) -> Birthplace:
        downstream = tuple(sites[index].label for index in bad if index != first)
        return Birthplace(first if place is None else place, first, step, PHASE_OF_KIND[sites[first].kind], downstream)

    def of_kind(*kinds: Kind) -> list[int]:
        # Moving statistics come last: they are a side effect of the forward pass, which may itself be finite.
        return [index for index in bad if sites[index].kind in kinds and sites[index].trainable]

    if data := of_kind(Kind.INPUT):
        return born(data[0])
    for kind in (Kind.OUTPUT, Kind.PENALTY, Kind.LOSS):
        if forward := of_kind(kind):
            return born(forward[0])
    if backward := of_kind(Kind.OUTPUT_GRADIENT, Kind.GRADIENT):
        # Backward, the last layer comes first, and its output's gradient before those of its weights.
        first = max(backward, key=lambda index: (_layer_order(sites, index), -index))
        return born(first, place=_handed_on_by(sites, first))
    if weights := of_kind(Kind.WEIGHT):
        return born(weights[0])
    return dataclasses.replace(born(bad[0]), phase="forward")


def _handed_on_by(sites: tuple[Site, ...], first: int) -> int:
    """The place whose backward pass made the first bad gradient.

    A bad gradient of a layer's weights behind a good one of its output was made by the layer itself. A bad
    gradient of its output came from what uses that output: the next layer, or the loss behind the last.
    """
    if sites[first].kind is not Kind.OUTPUT_GRADIENT:
        return first
    own = _layer_order(sites, first)
    later = [i for i, site in enumerate(sites) if site.kind is Kind.OUTPUT_GRADIENT and _layer_order(sites, i) > own]
    losses = [i for i, site in enumerate(sites) if site.kind is Kind.LOSS]
    return next(iter([*later, *losses]), first)


def _layer_order(sites: tuple[Site, ...], index: int) -> int:
    layer = sites[index].layer
    return next(i for i, site in enumerate(sites) if site.layer == layer)
