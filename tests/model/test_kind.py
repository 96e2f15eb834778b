import re

import pytest

from tb_nanwatch.model.kind import Kind


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_is_one_lower_case_word(kind):
    assert re.fullmatch("[a-z_]+", kind.value)


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_is_found_by_its_word(kind):
    assert Kind(kind.value) is kind
