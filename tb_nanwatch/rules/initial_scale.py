"""Rule `initial_scale`: from the first step on, each layer hands on a multiple of what it was given."""

from __future__ import annotations

import dataclasses
import math

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.severity import Severity, Status
from tb_nanwatch.model.site import Site
from tb_nanwatch.model.statistic import RMS
from tb_nanwatch.model.threshold import Threshold
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.rule import Explanation, Finding, Numbers, Rule

_LARGEST_FAN_IN = 2**40
_NOT_FED_FORWARD = ("target", "sample_weight")

_THRESHOLDS = (
    Threshold(
        "gain",
        4,
        "times",
        "A layer counts as too wide when both its kernel's gain (std x root of fan-in) and the measured "
        "ratio of output to input exceed this.",
        "He et al., Delving Deep into Rectifiers, ICCV 2015: a gain of 1.4 keeps the scale behind relu; "
        "Glorot and Bengio, AISTATS 2010: 1; no start in common use exceeds 2",
        minimum=1,
    ),
    Threshold(
        "total",
        50,
        "times",
        "Told when two or more such layers in a row multiply the scale by more than this.",
        "measured: of the cases and controls, only starts that fail exceed 20",
        minimum=1,
    ),
)


@dataclasses.dataclass(frozen=True)
class _Layer:
    kernel: int
    output: int
    fan_in: int
    ratio: float
    gain: float


def fan_in(site: Site) -> int | None:
    """Number of inputs that are summed up for one output of a kernel, or None where that isn't known."""
    shape = [size or 0 for size in site.shape]
    if site.kind is not Kind.WEIGHT or len(shape) < 2 or site.layer_type == "Embedding":
        return None
    convolution = "Conv" in site.layer_type and not any(
        word in site.layer_type for word in ("Depthwise", "Separable", "Transpose")
    )
    if len(shape) == 2 or convolution:
        fan = math.prod(shape[:-1])
        # A damaged log may claim any shape.
        return fan if 0 < fan <= _LARGEST_FAN_IN else None
    return None


def _layers(history: History) -> list[_Layer]:
    """Layers with a kernel, in forward order, with what they make of their input at the newest sample."""
    values = history.values[-1]
    inputs = [i for i in history.of_kind(Kind.INPUT) if not history.sites[i].name.startswith(_NOT_FED_FORWARD)]
    scale = max((float(values[i, RMS]) for i in inputs), default=math.nan)
    outputs = {history.sites[i].layer: int(i) for i in history.of_kind(Kind.OUTPUT)}
    layers = []
    for index in history.of_kind(Kind.WEIGHT):
        site = history.sites[index]
        fan, output = fan_in(site), outputs.get(site.layer)
        if fan is None or output is None or site.drawn_std is None:
            continue
        out = float(values[output, RMS])
        ratio = out / scale if scale > 0 else math.nan
        layers.append(_Layer(int(index), output, fan, ratio, site.drawn_std * math.sqrt(fan)))
        scale = out
    return layers


def _chain(history: History, numbers: Numbers) -> list[_Layer]:
    """The run of too wide layers, at least two, that multiplies the scale most."""
    best: list[_Layer] = []
    run: list[_Layer] = []
    for layer in _layers(history):
        too_wide = layer.ratio >= numbers["gain"] and layer.gain >= numbers["gain"]
        run = [*run, layer] if too_wide else []
        if len(run) > 1 and _total(run) > _total(best):
            best = run
    return best if best and _total(best) >= numbers["total"] else []


def _total(layers: list[_Layer]) -> float:
    return math.prod(layer.ratio for layer in layers)


def _judge(history: History, numbers: Numbers) -> list[Finding]:
    if history.count != 1:
        return []
    chain = _chain(history, numbers)
    if not chain:
        return []
    first, *others = (layer.output for layer in chain)
    step = int(history.steps[-1])
    return [Finding(first, "rms", _total(chain), numbers["total"], Severity.WARNING, onset=step, also=tuple(others))]


def _explain(history: History, finding: Finding) -> Explanation:
    chain = [layer for layer in _layers(history) if layer.output in (finding.site, *finding.also)]
    first = chain[0]
    names = ", ".join(f"`{history.sites[layer.output].layer}`" for layer in chain)
    ratios = ", ".join(f"{layer.ratio:.3g}" for layer in chain)
    drawn = history.sites[first.kernel].drawn_std
    he = math.sqrt(2 / first.fan_in)
    return Explanation(
        message=(
            f"the initial scale multiplies from layer to layer: {names} hand on {ratios} times what they are given, "
            f"{finding.value:.3g} times in all; `{history.sites[first.kernel].layer}` was drawn with std {drawn:.3g}, "
            f"He for its fan-in of {first.fan_in} is {he:.3g}"
        ),
        cause=(
            "The initial weights are too large for the number of inputs of each layer, so the first losses and "
            "gradients are huge."
        ),
        advice=(
            'Use an initializer that knows the fan-in: `kernel_initializer="he_normal"` behind relu, the default '
            '`"glorot_uniform"` elsewhere.'
        ),
    )


RULE = Rule(
    id="initial_scale",
    status=Status.WATCH,
    summary="At the first step, consecutive layers multiply the scale of what they are given.",
    thresholds=_THRESHOLDS,
    judge=_judge,
    explain=_explain,
)
