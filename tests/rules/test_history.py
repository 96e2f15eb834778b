import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from support import INPUT, LOSS, output, record

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.rules.history import WINDOW, History


def filled(count):
    made = History([LOSS])
    for step in range(count):
        made.add(record(10 * step, [float(step)]))
    return made


@given(st.integers(0, 5 * WINDOW))
@example(2 * WINDOW)
@example(2 * WINDOW + 1)
@example(3 * WINDOW + 1)
def test_the_window_holds_the_newest_samples_in_order(count):
    made = filled(count)
    newest = np.arange(count)[-WINDOW:]
    np.testing.assert_array_equal(made.steps, 10 * newest)
    np.testing.assert_array_equal(made.values[:, 0, 0], newest)


def test_the_count_is_of_all_samples_ever():
    assert filled(3 * WINDOW).count == 3 * WINDOW


def test_sites_of_a_kind_are_found_in_forward_order():
    made = History([INPUT, output("a"), LOSS, output("b")])
    assert made.of_kind(Kind.OUTPUT).tolist() == [1, 3]


def test_a_kind_that_is_not_there_has_no_sites():
    assert History([LOSS]).of_kind(Kind.PENALTY).tolist() == []
