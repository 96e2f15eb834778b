"""`tb-nanwatch demo`, as a user runs it."""

import re

import pytest

from tb_nanwatch.cli.main import main


def test_the_failing_version_is_warned_of_before_its_first_bad_value(demo):
    assert demo.failing.returncode == 0, demo.failing.stderr
    warned = [int(step) for step in re.findall(r"WARNING nanwatch: step (\d+)", demo.failing.stdout)]
    born = re.search(
        r"CRITICAL nanwatch: step (\d+): the first non-finite value was born at step (\d+)", demo.failing.stdout
    )
    assert born, demo.failing.stdout
    assert born[1] == born[2]
    assert int(born[1]) <= 12
    assert warned
    assert min(warned) < int(born[1])
    assert re.search(r"drawn with std 0\.8[78]\d*, He for its fan-in of 784 is 0\.0505", demo.failing.stdout)


def test_the_fixed_version_learns_and_raises_nothing(demo):
    assert demo.fixed.returncode == 0, demo.fixed.stderr
    accuracy = re.search(r"accuracy ([\d.]+)%", demo.fixed.stdout)
    assert accuracy, demo.fixed.stdout
    assert float(accuracy[1]) > 85
    assert "0 alerts" in demo.fixed.stdout
    assert "nanwatch: step" not in demo.fixed.stdout


def test_an_example_that_does_not_exist_is_a_usage_error(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["demo", "nonsense"])
    assert "invalid choice: 'nonsense'" in capsys.readouterr().err
