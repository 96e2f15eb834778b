"""The tab, in a real Chromium on a real TensorBoard that serves the log of a real training."""

import re
import subprocess
import sys
import textwrap

import pytest
from log_writer import write_log
from playwright.sync_api import expect, sync_playwright
from tensorboard_process import running_tensorboard

from tb_nanwatch.model.kind import Kind
from tb_nanwatch.model.site import Site

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser(chromium):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def board(demo):
    with running_tensorboard(demo.log_dir, "--path_prefix", "/deep/prefix") as board:
        board.wait_for_runs(2)
        yield board


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if is_ours(message) else None)
    yield page
    page.close()
    assert complaints == []


def is_ours(message):
    """Whether the console shows an error of the plugin; TensorBoard has some of its own under a path prefix."""
    return message.type == "error" and "nanwatch" in message.location.get("url", "")


def open_tab(page, board, more=""):
    """Opens the tab and returns the frame that TensorBoard put the page into."""
    page.goto(f"{board.address}#nanwatch{more}")
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="NaNWatch")).to_be_visible(timeout=30_000)
    return frame


def test_the_tab_tells_what_happened(page, board, demo):
    frame = open_tab(page, board)
    (run,) = [each for each in board.json("runs")["runs"] if each["run"] == demo.run("failing")]

    verdict = frame.get_by_test_id("verdict")
    expect(verdict).to_contain_text(f"non-finite since step {run['step']}")
    expect(verdict).to_contain_text("warned")

    born = frame.locator(f'[data-testid="layer-row"][data-layer="{run["layer"]}"]')
    expect(born).to_have_attribute("data-status", "nonfinite")
    red = frame.locator('[data-testid="layer-row"][data-status="nonfinite"]')
    edge = red.first.evaluate("row => getComputedStyle(row).borderLeftColor")
    healthy = frame.locator('[data-testid="layer-row"][data-layer="input"]')
    expect(healthy).to_have_attribute("data-status", "healthy")
    assert edge == "rgb(179, 20, 63)"
    assert edge != healthy.evaluate("row => getComputedStyle(row).borderLeftColor")

    alert = frame.locator('[data-testid="alert"][data-rule="nonfinite"]')
    expect(alert).to_have_attribute("data-step", str(run["step"]))
    expect(alert).to_contain_text("the first non-finite value was born")
    expect(frame.locator('[data-testid="alert"][data-rule="initial_scale"]')).to_contain_text(
        "He for its fan-in of 784"
    )


def test_the_heatmap_is_painted_red_where_the_row_is_red(page, board):
    frame = open_tab(page, board)
    expect(frame.get_by_test_id("verdict")).to_be_visible()
    canvas = frame.get_by_test_id("heatmap")
    pixel = """canvas => {
        const data = canvas.getContext('2d').getImageData(canvas.width - 30, 0, 25, canvas.height).data;
        const seen = new Set();
        for (let i = 0; i < data.length; i += 4) seen.add([data[i], data[i + 1], data[i + 2]].join());
        return [...seen];
    }"""
    page.wait_for_timeout(500)
    colors = canvas.evaluate(pixel)
    assert "179,20,63" in colors
    assert "169,207,230" in colors


def test_another_run_and_another_layer_can_be_opened(page, board, demo):
    frame = open_tab(page, board)
    frame.locator(f'[data-testid="run"][data-run="{demo.run("fixed")}"]').click()
    expect(frame.get_by_test_id("verdict")).to_contain_text("healthy: nothing to report up to step 799")
    expect(frame.get_by_test_id("alert")).to_have_count(0)
    frame.locator('[data-testid="layer-row"][data-layer="logits"]').click()
    expect(frame.get_by_role("heading", name="Layer logits")).to_be_visible()
    frame.get_by_test_id("statistic").select_option("zero_fraction")
    expect(frame.get_by_role("img", name="zero_fraction of output", exact=True)).to_be_visible()
    expect(frame.get_by_role("img", name="share of the loss that is penalty")).to_be_visible()


def test_the_heatmap_can_be_read_by_keyboard_alone(page, board):
    frame = open_tab(page, board)
    cells = frame.get_by_role("application")
    cells.focus()
    for _ in range(10):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    expect(frame.get_by_test_id("readout")).to_have_text("input, step 0: healthy")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(frame.get_by_test_id("readout")).to_contain_text("hidden_1, step 1")
    page.keyboard.press("Enter")
    expect(frame.get_by_role("heading", name="Layer hidden_1")).to_be_visible()


def test_a_link_opens_its_run_and_layer(page, board, demo):
    frame = open_tab(page, board, f"&p.nanwatch.run={demo.run('fixed')}&p.nanwatch.layer=hidden_2")
    expect(frame.get_by_test_id("verdict")).to_contain_text("healthy")
    expect(frame.get_by_role("heading", name="Layer hidden_2")).to_be_visible()


def test_dark_mode_follows_tensorboard(page, board):
    frame = open_tab(page, board)
    background = "body => getComputedStyle(body).backgroundColor"
    light = frame.locator("body").evaluate(background)
    page.evaluate("document.body.classList.toggle('dark-mode')")
    expect(frame.locator("html")).to_have_class(re.compile("dark"))
    assert frame.locator("body").evaluate(background) != light


def test_a_directory_without_data_teaches_what_to_do(page, tmp_path):
    with running_tensorboard(tmp_path) as board:
        frame = open_tab(page, board)
        expect(frame.get_by_test_id("empty")).to_contain_text('callbacks=[NanWatch("logs/run1")]')
        page.goto("about:blank")


def test_a_new_run_appears_when_tensorboard_reloads(page, tmp_path):
    with running_tensorboard(tmp_path, "--reload_interval", "1") as board:
        frame = open_tab(page, board)
        expect(frame.get_by_test_id("empty")).to_be_visible()
        script = """
            import keras, numpy as np, sys
            from tb_nanwatch import NanWatch
            model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, name="only")])
            model.compile("sgd", "mse")
            model.fit(np.ones((64, 4)), np.ones((64, 1)), verbose=0, callbacks=[NanWatch(sys.argv[1] + "/new")])
        """
        subprocess.run([sys.executable, "-c", textwrap.dedent(script), str(tmp_path)], check=True, capture_output=True)
        board.wait_for_runs(1)
        page.locator(".reload-button").click()
        expect(frame.get_by_test_id("verdict")).to_contain_text("healthy", timeout=30_000)
        expect(frame.locator('[data-testid="layer-row"][data-layer="only"]')).to_be_visible()
        page.goto("about:blank")


def test_names_from_the_log_are_text_whatever_they_hold(page, tmp_path):
    name = "<img src=x onerror=document.title='owned'>"
    write_log(tmp_path / "hostile", [Site(name, Kind.OUTPUT), Site("loss", Kind.LOSS)], steps=3)
    with running_tensorboard(tmp_path) as board:
        board.wait_for_runs(1)
        frame = open_tab(page, board)
        row = frame.get_by_test_id("layer-row").first
        expect(row).to_have_attribute("data-layer", name)
        row.click()
        expect(frame.get_by_role("heading", name=f"Layer {name}")).to_be_visible()
        expect(frame.locator("img")).to_have_count(0)
        assert page.title() != "owned"
        page.goto("about:blank")
