import math

import pytest

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.site import Site


@pytest.mark.parametrize(
    ("site", "label"),
    [
        (Site("hidden_1", Kind.OUTPUT), "`hidden_1` output"),
        (Site("hidden_1", Kind.GRADIENT, "kernel"), "`hidden_1/kernel` gradient"),
        (Site("backbone/block_2/conv", Kind.WEIGHT, "kernel"), "`backbone/block_2/conv/kernel` weight"),
        (Site("shared#2", Kind.OUTPUT), "`shared#2` output"),
        (Site("loss", Kind.LOSS), "`loss`"),
        (Site("input", Kind.INPUT, "images"), "`input/images`"),
    ],
)
def test_a_label_names_the_place_in_backticks_and_its_kind_unless_they_are_the_same_word(site, label):
    assert site.label == label


@pytest.mark.parametrize(("dtype", "largest"), [("float16", 65504.0), ("float32", 3.4028235e38), ("float64", 1.8e308)])
def test_the_largest_number_of_a_type_lies_just_below_its_power_of_two(dtype, largest):
    exponent = math.log2(min(largest, 1.7976931348623157e308))
    assert Site("layer", Kind.OUTPUT, dtype=dtype).log2_max == pytest.approx(exponent, abs=1e-3)


def test_bfloat16_reaches_as_far_as_float32():
    assert Site("a", Kind.OUTPUT, dtype="bfloat16").log2_max == Site("a", Kind.OUTPUT, dtype="float32").log2_max


def test_an_unknown_type_has_no_edge():
    assert Site("layer", Kind.OUTPUT, dtype="int32").log2_max == math.inf
