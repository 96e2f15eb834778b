import pytest

from tb_nanwatch.model import statistic


@pytest.mark.parametrize("name", statistic.STATISTICS)
def test_each_statistic_stands_where_its_constant_says(name):
    assert statistic.STATISTICS[getattr(statistic, name.upper())] == name


def test_the_count_of_what_is_not_finite_stands_last():
    assert statistic.STATISTICS[-1] == "nonfinite_count"
