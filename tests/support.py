"""Sites and samples from plain numbers, for tests of what judges them."""

import numpy as np

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.record import Record
from tb_nanwatch.model.site import INPUT_LAYER, LOSS_LAYER, Site
from tb_nanwatch.model.statistic import STATISTICS
from tb_nanwatch.rules.history import History
from tb_nanwatch.rules.thresholds import Thresholds

INPUT = Site(INPUT_LAYER, Kind.INPUT, "x", shape=(None, 784))
LOSS = Site(LOSS_LAYER, Kind.LOSS)


def output(layer, dtype="float32"):
    return Site(layer, Kind.OUTPUT, dtype=dtype, shape=(None, 1024), layer_type="Dense")


def weight(layer, name="kernel", shape=(784, 1024), **more):
    return Site(layer, Kind.WEIGHT, name, shape=shape, layer_type="Dense", **more)


def gradient(layer, name="kernel", shape=(784, 1024), **more):
    return Site(layer, Kind.GRADIENT, name, shape=shape, layer_type="Dense", **more)


def penalty(layer):
    return Site(layer, Kind.PENALTY, "kernel", layer_type="Dense")


def row(value, nonfinite=0.0):
    """All statistics of a site whose elements are of one magnitude."""
    size = abs(value)
    by_name = {"mean": value, "min": -size, "zero_fraction": 0.0, "nonfinite_count": nonfinite}
    return [by_name.get(name, size) for name in STATISTICS]


def record(step, values, nonfinite=None):
    """A sample: one value a site, and counts of elements that aren't finite."""
    nonfinite = [0.0] * len(values) if nonfinite is None else nonfinite
    return Record(step, np.array([row(value, count) for value, count in zip(values, nonfinite)]))


def history(series, steps=None):
    """The samples of `{site: values}`."""
    made = History(list(series))
    for index, values in enumerate(zip(*series.values())):
        made.add(record(index if steps is None else steps[index], values))
    return made


def judge(rule, samples, /, **numbers):
    """What a rule finds at the newest sample, by its default thresholds or by those given."""
    return list(rule.judge(samples, {**Thresholds()[rule.id], **numbers}))


def explain(rule, samples):
    """What a rule says of the first thing that it finds."""
    return rule.explain(samples, judge(rule, samples)[0])
