import pytest

from tb_nanwatch.capture.schedule import Schedule
from tb_nanwatch.errors import InvalidArgumentError


@pytest.mark.parametrize("every", [0, -1, 2.5, "10", True, None])
def test_an_interval_that_is_none_is_refused_with_its_value(every):
    with pytest.raises(InvalidArgumentError, match=f"`every` must be .* at least 1. Received: {every!r}"):
        Schedule(every=every)


def test_the_host_reads_before_the_buffer_is_full():
    assert Schedule(every=10).longest_wait == 10
    assert Schedule(every=100_000).longest_wait == 50
