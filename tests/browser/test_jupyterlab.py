"""A chapter in JupyterLab as `make lab` opens it: run whole, with every figure there is."""

import json
import os
import subprocess
import sys
import time

import nbformat
import pytest
from books import NOTEBOOKS, ROOT
from reader import reading

from press.still.defaults import height
from rnn_helpers.explore import manifest, show

pytestmark = pytest.mark.xdist_group("lab")  # one worker, which starts one server
# Seconds a server may take to start, a chapter to run, and a server to stop.
START, RUN, STOP = 300, 900, 10
# Messages of JupyterLab's extensions about each other, of its list of cells on a busy machine, and
# of jupyterlab-myst about links to other notebooks.
THEIRS = (
    "of shared singleton module",
    "did not appear within",
    "No target for internal reference",
)
# How many cells there are, and which one is active: no key pressed in a figure may change it.
CELLS = """() => {
  const cells = [...document.querySelectorAll(".jp-Notebook > * .jp-Cell")];
  return [cells.length, cells.findIndex((cell) => cell.classList.contains("jp-mod-active"))];
}"""
# Repeat, because a figure moves when another one above it starts.
SCROLL = "figure => { figure.scrollIntoView({ block: 'center' }); return figure.dataset.live; }"
# Pictures and boxes among the outputs that are light in every theme.
WHITE = """() => {
  const light = ([r, g, b, alpha = 1]) => alpha > 0 && r + g + b > 600;
  const corner = (image) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  return [...document.querySelectorAll(".jp-OutputArea-output :is(img, div, figure, p, svg)")]
    .filter((node) => {
      const { width, height } = node.getBoundingClientRect();
      if (!node.checkVisibility() || width < 60 || height < 30) return false;
      const background = getComputedStyle(node).backgroundColor.match(/[\\d.]+/g).map(Number);
      return light(background) || (node.matches("img") && light(corner(node)));
    })
    .map((node) => node.alt || node.className);
}"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory, browser):
    """The address of a chapter in JupyterLab, with each figure shown once more at its end."""
    folder = tmp_path_factory.mktemp("lab")
    chapter = nbformat.read(next(path for path in NOTEBOOKS if path.stem == "02_unfolding"), 4)
    calls = [f"explore.show({name!r})" for name in manifest()] + ["print('the', 'end')"]
    chapter.cells += map(nbformat.v4.new_code_cell, calls)
    (folder / "book").mkdir()
    nbformat.write(chapter, folder / "book" / "chapter.ipynb")
    nbformat.write(run_elsewhere(), folder / "book" / "untrusted.ipynb")
    names = ["JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"]
    names += ["JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR"]
    places = {name: str(folder / name) for name in names}
    places["JUPYTER_CONFIG_PATH"] = str(ROOT / ".jupyter")
    command = [sys.executable, "-m", "jupyterlab", folder / "book"]
    command += ["--no-browser", "--port=0", "--allow-root"]
    with (folder / "log").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(command, env=os.environ | places, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + START
        while not (found := list((folder / "JUPYTER_RUNTIME_DIR").glob("jpserver-*.json"))):
            late = server.poll() is not None or time.monotonic() > deadline
            assert not late, (folder / "log").read_text("utf-8")
            time.sleep(0.2)
        at = json.loads(found[0].read_text("utf-8"))
        yield f"{at['url']}lab/tree/chapter.ipynb?token={at['token']}"
    finally:
        server.terminate()
        try:
            server.wait(STOP)
        except subprocess.TimeoutExpired:  # it may wait for a kernel that was still starting
            server.kill()
            server.wait()


def run_elsewhere():
    """A notebook with the outputs of two cells, which JupyterLab doesn't trust."""
    figures = [show("cliff"), show("unfold", T=8)]
    cells = [nbformat.v4.new_code_cell(repr(figure)) for figure in figures]
    for cell, figure in zip(cells, figures, strict=True):
        data = figure._repr_mimebundle_()
        cell.outputs = [nbformat.v4.new_output("execute_result", data, execution_count=1)]
    kernel = {"name": "python3", "display_name": "Python 3"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def test_an_untrusted_notebook_shows_pictures_of_the_default_states(lab, browser):
    # Use a separate workspace, or the next test would also find this notebook open.
    address = lab.replace("tree/chapter", "workspaces/own/tree/untrusted")
    with reading(browser, address, scroll=False) as page:
        images = page.locator(".jp-OutputArea-output img")
        images.nth(1).wait_for(timeout=1000 * START)
        page.wait_for_function("() => [...document.images].every((image) => image.naturalWidth)")
        sizes = images.evaluate_all("all => all.map((image) => [image.width, image.height])")
        assert [round(width) for width, _ in sizes] == [688, 688]
        assert [high for _, high in sizes] == [height("cliff"), height("unfold")]
        assert page.get_by_text("This picture shows the default state.").count() == 1
        assert not page.evaluate("'unfoldedHost' in window")


def menu(page, *names):
    """Choose from JupyterLab's menus."""
    page.locator(f".lm-MenuBar-itemLabel:text-is('{names[0]}')").click()
    for name in names[1:-1]:
        page.locator(f".lm-Menu-itemLabel:text-is('{name}')").hover()
    page.locator(f".lm-Menu-itemLabel:text-is('{names[-1]}')").click()


@pytest.mark.nightly
def test_a_chapter_runs_in_jupyterlab_with_every_figure_alive(lab, browser):
    with reading(browser, lab, scroll=False) as page:
        page.set_default_timeout(1000 * START)
        # Until the kernel is ready, "Run All Cells" skips every cell.
        page.get_by_text("| Idle").wait_for()
        menu(page, "Run", "Run All Cells")
        complaint = page.locator("[data-mime-type$='.error'], [data-mime-type$='.stderr']")
        over = page.locator("pre:text-is('the end')").or_(complaint).first
        over.wait_for(state="attached", timeout=1000 * RUN)
        assert complaint.all_inner_texts() == []

        figures = page.locator("figure.unfolded-figure").all()
        assert len(figures) > len(manifest())
        for figure in figures:
            page.wait_for_function(SCROLL, arg=figure.element_handle())
            assert figure.get_attribute("data-live") == "true", figure.get_attribute("data-module")

        steps = figures[0].get_by_role("spinbutton")
        figures[0].get_by_role("slider", name="right edge").focus()  # and its cell is active
        before, length = page.evaluate(CELLS), int(steps.input_value())
        page.keyboard.press("ArrowRight")
        longer = f"input => input.value === '{length + 1}'"
        page.wait_for_function(longer, arg=steps.element_handle())
        assert page.evaluate(CELLS) == before

        page.locator(".widget-vbox .unfolded-plot").wait_for(state="attached")
        light = page.evaluate(WHITE)
        assert len(light) == page.locator(".unfolded-plot").count() > 1
        menu(page, "Settings", "Theme", "JupyterLab Dark")
        page.locator("body[data-jp-theme-light=false]").wait_for(state="attached")
        page.wait_for_function(f"() => !({WHITE})().length")
        menu(page, "Settings", "Theme", "JupyterLab Light")
        page.locator("body[data-jp-theme-light=true]").wait_for(state="attached")
        page.wait_for_function(f"n => ({WHITE})().length === n", arg=len(light))

        assert not page.get_by_text("Jupyter news").count()
        assert [c for c in page.complaints if not any(theirs in c for theirs in THEIRS)] == []
