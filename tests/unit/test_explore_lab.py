import re

import ipywidgets as widgets
import pytest
from matplotlib.figure import Figure
from networks import CIRCUIT

from rnn_helpers.explore import lab
from rnn_helpers.plots import Plot, unfolded_graph

pytestmark = pytest.mark.usefixtures("pixels")  # tests/labs tests the drawings
LAB = "application/vnd.unfolded.lab+json"


def picture(words):
    return Plot(Figure(figsize=(1, 1)), words)


def draw(n, name="a"):
    if n == 3:
        raise ValueError("n is 3; expected <another>")
    if n == 4:
        raise ZeroDivisionError("oh")
    return picture(f"{n} {name}")


def panel(example):
    """The live widgets of a lab: (box, status, picture)."""
    model_id = example._repr_mimebundle_()["application/vnd.jupyter.widget-view+json"]["model_id"]
    box = widgets.widget._instances[model_id]
    return box, box.children[-2], box.children[-1]


def test_a_page_shows_the_picture_at_the_defaults():
    bundle = lab(draw, n=(0, 10), name=["b", "c"])._repr_mimebundle_()
    assert bundle[LAB]["alt"] == bundle["text/plain"] == "5 b"
    assert bundle[LAB]["controls"] == {"n": "5", "name": "b"}
    assert {"light", "dark", "width", "height"} <= set(bundle[LAB])
    assert "image/png" in bundle


def test_a_lab_names_its_defaults_and_its_extremes():
    example = lab(draw, n=(0, 10), name=["b", ("see", "c")])
    assert example.defaults == {"n": 5, "name": "b"}
    assert list(example.extremes()) == [
        {"n": 0, "name": "b"},
        {"n": 10, "name": "b"},
        {"n": 5, "name": "b"},
        {"n": 5, "name": "c"},
    ]
    assert example.at(n=1).alt == "1 b"
    with pytest.raises(ValueError, match="m is no control; they are n, name"):
        example.at(m=1)


def test_moving_a_control_redraws():
    example = lab(draw, n=(0, 10))
    _, status, shown = panel(example)
    example.controls["n"].value = 7
    assert 'alt="7 a"' in shown.value
    assert status.value == ""
    assert not example.controls["n"].continuous_update


def test_a_bad_value_is_answered_in_words_and_the_picture_stays():
    example = lab(draw, n=(0, 10))
    _, status, shown = panel(example)
    example.controls["n"].value = 3
    assert "n is 3; expected &lt;another&gt;" in status.value
    assert "Traceback" not in status.value
    assert 'alt="5 a"' in shown.value
    example.controls["n"].value = 4
    assert "ZeroDivisionError: oh" in status.value
    assert "Traceback" in status.value
    example.controls["n"].value = 8
    assert status.value == ""


def count(n):
    """Yield n pictures."""
    for i in range(n):
        if i == 7:
            raise ValueError("no more than seven")
        yield picture(f"picture {i}")


def test_a_button_runs_a_generator_to_its_end():
    example = lab(count, button="train", n=(1, 9))
    assert example._repr_mimebundle_()["text/plain"] == "picture 4"
    box, status, shown = panel(example)
    run = next(child for child in box.children if isinstance(child, widgets.Button))
    example.controls["n"].value = 3
    assert 'alt="picture 4"' in shown.value  # it runs only on demand
    run.click()
    threads(run)
    assert 'alt="picture 2"' in shown.value
    assert status.value.startswith("done")
    assert run.description == "train"
    example.controls["n"].value = 9
    run.click()
    threads(run)
    assert "no more than seven" in status.value
    assert run.description == "train"


def test_a_button_is_as_wide_as_its_words():
    box, _, _ = panel(lab(count, button="take it out, and train what is left", n=(1, 9)))
    run = next(child for child in box.children if isinstance(child, widgets.Button))
    assert run.layout.width == "max-content"


def threads(run):
    """Wait for the run that the button started."""
    (handler,) = run._click_handlers.callbacks
    handler.__self__.thread.join()


def test_a_running_generator_can_be_stopped():
    closed = []

    def often(n):
        try:
            for _ in range(10**9 if n == 9 else 1):
                yield picture("again")
        finally:
            closed.append(n)

    example = lab(often, button="train", n=(1, 9))
    box, status, _ = panel(example)
    run = next(child for child in box.children if isinstance(child, widgets.Button))
    example.controls["n"].value = 9
    run.click()
    assert run.description == "stop"
    run.click()
    threads(run)
    assert status.value.startswith("stopped")
    assert closed == [5, 9]


@pytest.mark.parametrize(
    ("controls", "error", "message"),
    [
        ({}, ValueError, "at least one"),
        ({"n": (5, 1)}, ValueError, "n is (5, 1), which makes no widget"),
        ({"n": object()}, ValueError, "expected (low, high)"),
        ({"n": []}, ValueError, "n is []"),
        ({"n": (1, 5), "m": 1}, TypeError, "fn does not take the controls n, m"),
        ({"name": "a"}, TypeError, "missing a required argument: 'n'"),
    ],
)
def test_controls_that_make_no_lab_are_refused_in_words(controls, error, message):
    with pytest.raises(error, match=re.escape(message)):
        lab(draw, **controls)


def test_generators_and_buttons_go_together():
    with pytest.raises(TypeError, match="a button runs a generator function"):
        lab(count, n=(1, 3))
    with pytest.raises(TypeError, match="a button runs a generator function"):
        lab(draw, button="go", n=(1, 3))
    with pytest.raises(TypeError, match="expected a function"):
        lab("draw", n=(1, 3))


def test_a_function_that_gives_no_plot_is_refused():
    with pytest.raises(TypeError, match="fn gave 3; expected a Plot"):
        lab(lambda n: 3, n=(1, 3)).at()


REFUSALS = {
    lab: (
        {"fn": lambda T: unfolded_graph(CIRCUIT, T), "T": (1, 3)},
        {
            "fn": [None, 3, lambda: 0],
            "button": ["a", 3],
            "T": [None, 3.5j, (3, 1), [], (1,), {}, (1, 2, 3, 4)],
        },
    )
}
