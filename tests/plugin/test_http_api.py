"""Every route of http_api.md, on a log that a real training has written, with both of TensorBoard's loaders."""

import json
import pathlib
import re

import numpy as np
import pytest
from tensorboard_process import running_tensorboard

import tb_nanwatch.plugin

DOCUMENT = pathlib.Path(tb_nanwatch.plugin.__file__).parent / "http_api.md"


@pytest.fixture(scope="module", params=["true", "false"], ids=["rust loader", "python loader"])
def served(request, demo):
    with running_tensorboard(demo.log_dir, "--load_fast", request.param, "--path_prefix", "/some/prefix") as board:
        board.wait_for_runs(2)
        yield board, demo


def test_the_document_names_the_routes_that_there_are():
    from tb_nanwatch.plugin.routes import Routes

    documented = re.findall(r"^## `(\w+)", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert {f"/{name}" for name in documented} == set(Routes(store=None).handlers())


def test_runs_carry_their_verdict(served):
    board, demo = served
    runs = {run["run"]: run for run in board.json("runs")["runs"]}
    failing, fixed = runs[demo.run("failing")], runs[demo.run("fixed")]
    assert failing["status"] == "nonfinite"
    assert failing["layer"] in ("hidden_2", "logits")
    assert f"since step {failing['step']}" in failing["sentence"]
    assert "ahead by initial_scale at `hidden_1`" in failing["sentence"]
    assert (failing["first_step"], failing["last_step"], failing["samples"]) == (0, 31, 32)
    assert (fixed["status"], fixed["alerts"], fixed["problem"]) == ("healthy", 0, None)


def test_no_sample_is_lost_to_tensorboards_sampling(served):
    board, demo = served
    header, _ = board.array("statuses", run=demo.run("fixed"))
    # 800 steps: each of the first 100, every 10th after that.
    assert header["steps"] == [*range(100), *range(100, 800, 10)]


def test_the_layout_is_in_forward_order(served):
    board, demo = served
    layout = board.json("layout", run=demo.run("failing"))
    paths = [layer["path"] for layer in layout["layers"]]
    assert paths == ["input", "hidden_1", "dropout_1", "hidden_2", "dropout_2", "logits", "loss"]
    hidden = layout["layers"][1]
    kinds = {(layout["sites"][i]["kind"], layout["sites"][i]["name"]) for i in hidden["sites"]}
    assert kinds == {
        ("output", ""),
        ("output_gradient", ""),
        *((kind, name) for kind in ("weight", "gradient") for name in ("kernel", "bias")),
        ("penalty", "kernel"),
    }
    assert {"rule", "name", "value", "unit", "meaning"} == set(layout["thresholds"][0])


def test_statuses_turn_bad_where_the_first_bad_value_was_born(served):
    board, demo = served
    run = demo.run("failing")
    layout = board.json("layout", run=run)
    (summary,) = [each for each in board.json("runs")["runs"] if each["run"] == run]
    header, codes = board.array("statuses", run=run)
    assert codes.shape == (32, len(layout["layers"]))
    column = [layer["path"] for layer in layout["layers"]].index(summary["layer"])
    row = header["steps"].index(summary["step"])
    assert codes[row, column] == 4
    assert (codes[:row] < 4).all()
    assert 3 in codes[:row]


def test_values_are_those_of_the_sites_and_steps_asked_for(served):
    board, demo = served
    run = demo.run("failing")
    layout = board.json("layout", run=run)
    losses = [i for i, site in enumerate(layout["sites"]) if site["kind"] == "loss"]
    inputs = [i for i, site in enumerate(layout["sites"]) if site["kind"] == "input"]
    asked = {"run": run, "statistic": "abs_max", "sites": f"{losses[0]},{inputs[0]}", "from": 1, "to": 4}
    header, values = board.array("values", **asked)
    assert header["steps"] == [1, 2, 3, 4]
    assert header["sites"] == [losses[0], inputs[0]]
    np.testing.assert_allclose(values[:, 1], 0.5)
    trail, loss = board.array("loss", run=run)
    assert trail["steps"] == list(range(32))
    np.testing.assert_allclose(loss[1:5, 0], values[:, 0], rtol=1e-6)
    assert np.isnan(loss[-1, 0])


def test_penalties_stand_beside_the_loss_they_are_part_of(served):
    board, demo = served
    header, values = board.array("penalties", run=demo.run("fixed"))
    assert header["columns"] == ["loss", "hidden_1/kernel", "hidden_2/kernel", "logits/kernel"]
    share = values[:, 1:].sum(axis=1) / values[:, 0]
    assert ((share > 0.05) & (share < 0.9)).all()


def test_alerts_are_as_they_were_told(served):
    board, demo = served
    alerts = board.json("alerts", run=demo.run("failing"))["alerts"]
    assert [alert["rule"] for alert in alerts] == ["initial_scale", "growth", "nonfinite"]
    assert alerts[0]["message"] in demo.failing.stdout
    assert alerts[0]["forecast"] is None
    assert alerts[1]["seen"] < alerts[2]["step"]
    assert board.json("alerts", run=demo.run("fixed")) == {"alerts": []}


@pytest.mark.parametrize(
    ("route", "parameters", "status", "words"),
    [
        ("layout", {}, 400, "'run' is missing"),
        ("layout", {"run": "../../etc"}, 404, "there is no run '../../etc'"),
        ("layout", {"run": "x" * 5000}, 400, "5000 characters"),
        ("values", {"statistic": "foo", "sites": "0"}, 400, "'foo'; choose one of rms, norm"),
        ("values", {"statistic": "rms", "sites": ""}, 400, "''; expected whole numbers"),
        ("values", {"statistic": "rms", "sites": "0,٣"}, 400, "expected whole numbers"),
        ("values", {"statistic": "rms", "sites": "99999"}, 400, "names site 99999"),
        ("values", {"statistic": "rms", "sites": ",".join(["0"] * 65)}, 400, "more than 64 sites"),
        ("statuses", {"from": "-1"}, 400, "'-1'; expected whole numbers"),
        ("statuses", {"to": "9" * 400}, 400, "expected whole numbers"),
    ],
)
def test_a_bad_request_gets_a_sentence(served, route, parameters, status, words):
    board, demo = served
    if status == 400 and route != "layout":
        parameters = {"run": demo.run("failing"), **parameters}
    code, headers, body = board.get(route, **parameters)
    assert code == status
    assert headers["Content-Type"].startswith("application/json")
    assert words in json.loads(body)["error"]


def test_a_window_without_samples_is_empty_and_no_error(served):
    board, demo = served
    header, codes = board.array("statuses", run=demo.run("failing"), **{"from": 900, "to": 800})
    assert header["steps"] == []
    assert codes.shape[0] == 0
