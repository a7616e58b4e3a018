import base64
import io
import json
import re
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib.image import imread
from refusals import COUNT, POSITIVE

from rnn_helpers import plots
from rnn_helpers.circuits import FIGURES
from rnn_helpers.palette import COLOURS, DARK, colour
from rnn_helpers.plots.plot import MIME
from rnn_helpers.plots.words import course, number


def pixels(png):
    """RGBA of a PNG, shape (height, width, 4), from 0 to 255."""
    return np.round(imread(io.BytesIO(png)) * 255).astype(int)


def hexes(png):
    """Every color of a PNG's opaque pixels."""
    rgba = pixels(png).reshape(-1, 4)
    packed = np.unique(rgba[rgba[:, 3] == 255, :3] @ [1 << 16, 1 << 8, 1])
    return {f"#{value:06x}" for value in packed}


@pytest.fixture
def everything():
    """A figure with each kind of artist that carries a color."""
    with plots.style():
        figure, axes = plots.subplots()
        axes.plot([0, 1], [0, 1], color=colour("input"), linewidth=6)
        axes.plot([0.5], [0.2], "o", color=colour("state"), markersize=20)
        axes.bar([0.2], [0.6], width=0.2, color=colour("output"))
        axes.bar([0.5], [0.1], width=0.2, color=colour("output"), alpha=0.5)  # its edge is unseen
        axes.scatter([0.8], [0.2], s=600, color=colour("loss"))
        axes.annotate(
            "words", (0.1, 0.9), (0.5, 0.7), size=20, color=colour("gate"),
            arrowprops={"color": colour("gradient"), "width": 8},
            bbox={"facecolor": colour("surface")},
        )  # fmt: skip
        axes.set_title("title", size=30, color=colour("memory"))
        axes.legend([axes.lines[0]], ["input"])
        axes.imshow(
            [[-1, 1]], cmap=plots.COLOUR_MAPS["signed", "light"], extent=(0.6, 0.9, 0.4, 0.6)
        )
        axes.set(xlim=(0, 1), ylim=(0, 1))
        return plots.Plot(figure, "everything")


USED = ("input", "state", "output", "loss", "gate", "gradient", "surface", "memory")


@pytest.mark.slow
def test_a_plot_has_its_colours_on_each_theme(everything):
    light, dark = hexes(everything.png("light")), hexes(everything.png("dark"))
    for name in USED:
        assert COLOURS[name].light in light, name
        assert COLOURS[name].dark in dark, name
        assert COLOURS[name].light not in dark, name
    assert not any(entry.light in dark for entry in COLOURS.values())


@pytest.mark.slow
def test_heat_maps_change_their_colour_map_with_the_theme(everything):
    ends = {theme: plots.COLOUR_MAPS["signed", theme](1.0) for theme in ("light", "dark")}
    for theme, end in ends.items():
        assert matplotlib.colors.to_hex(end) in hexes(everything.png(theme))


@pytest.mark.slow
def test_a_ramp_keeps_its_many_colours():
    with plots.style():
        figure, axes = plots.subplots()
        axes.imshow(np.linspace(0, 1, 500)[None], cmap="viridis", aspect="auto")
    pixels = imread(io.BytesIO(plots.Plot(figure, "a ramp").png()))
    assert 200 < len(np.unique(pixels.reshape(-1, pixels.shape[-1]), axis=0)) <= 256


@pytest.mark.slow
def test_drawing_the_dark_plot_leaves_the_light_one_as_it_was(everything):
    before = everything.png("light")
    everything.png("dark")
    assert everything.png("light") == before


@pytest.mark.slow
def test_a_plot_is_transparent_on_pages_and_opaque_elsewhere(everything):
    assert pixels(everything.png())[0, 0, 3] == 0
    for theme in ("light", "dark"):
        corner = pixels(everything.png(theme, opaque=True))[0, 0]
        assert "#{:02x}{:02x}{:02x}".format(*corner) == colour("paper", theme)
        assert corner[3] == 255


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_opaque_picture_is_the_transparent_one_on_paper(everything, theme):
    rgb, alpha = np.split(pixels(everything.png(theme)), [3], axis=-1)
    paper = 255 * np.array(matplotlib.colors.to_rgb(colour("paper", theme)))
    on_paper = alpha / 255 * rgb + (1 - alpha / 255) * paper
    seen = pixels(everything.png(theme, opaque=True))[..., :3]
    assert abs(seen - on_paper).max() <= 1
    assert len(np.unique(alpha)) > 2  # edges are neither


@pytest.mark.slow
def test_a_figure_drawn_without_the_house_style_keeps_readable_words_in_the_dark():
    figure = matplotlib.figure.Figure(figsize=(3, 2))
    figure.subplots().set_title("a title")
    assert colour("ink", "dark") in hexes(plots.Plot(figure, "a title").png("dark"))


@pytest.mark.slow
def test_the_bundle_has_two_themes_and_alternative_text_everywhere(everything):
    bundle = everything._repr_mimebundle_()
    data = json.loads(json.dumps(bundle))[MIME]
    assert data["alt"] == bundle["text/plain"] == "everything"
    width, height = data["width"], data["height"]
    assert (width, height) == (540, 320)
    for theme in ("light", "dark"):
        shape = pixels(base64.b64decode(data[theme])).shape
        assert shape[:2] == (2 * height, 2 * width)
    assert '<img alt="everything"' in bundle["text/html"]
    assert base64.b64decode(bundle["image/png"]) == everything.png(opaque=True)


@pytest.mark.slow
def test_a_notebook_has_both_pictures_and_shows_the_dark_one_only_where_it_is_dark(everything):
    light, dark = (
        base64.b64encode(b).decode() for b in (everything.png(opaque=True), everything.png("dark"))
    )
    markup = everything._repr_mimebundle_()["text/html"]
    assert markup == everything.html()
    first, second = re.findall("<img[^>]*>", markup)
    assert light in first
    assert " hidden " not in first
    # Without its style, as in a notebook that JupyterLab does not trust, it stays hidden.
    assert dark in second
    assert " hidden " in second
    dark = re.escape(",".join(DARK))
    assert re.search(rf"{dark}[^{{]*img\[hidden\]\{{display:inline", markup)


@pytest.mark.slow
def test_alternative_text_is_escaped_in_html():
    figure, _ = plots.subplots()
    assert (
        'alt="&lt;b&gt; &quot;x&quot;"'
        in plots.Plot(figure, '<b> "x"')._repr_mimebundle_()["text/html"]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [{"text.usetex": True}, {"font.weight": "bold"}, {"figure.autolayout": True}, "classic"],
    ids=str,
)
def test_a_plot_ignores_the_readers_settings(settings):
    graph = FIGURES["10.1"]
    plain = plots.unfolded_graph(graph, T=3).png()
    with matplotlib.style.context(settings):
        assert plots.unfolded_graph(graph, T=3).png() == plain


@pytest.mark.slow
def test_the_same_plot_gives_the_same_bytes():
    first, second = (plots.lines([0, 1], [1, 2]).png() for _ in range(2))
    assert first == second


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 1), (1, 2), (2, 3)])
def test_a_plot_counts_its_panels_per_row(rows, columns):
    plot = plots.Plot(plots.subplots(rows, columns)[0], "Panels.")
    assert plot.panels == columns
    assert plot._repr_mimebundle_()[MIME]["panels"] == columns


def test_pyplot_does_not_hold_on_to_a_plot():
    from matplotlib import pyplot

    figure, _ = pyplot.subplots()
    plots.Plot(figure, "something")
    assert not pyplot.fignum_exists(figure.number)


@pytest.mark.parametrize("alt", ["", "   ", None, 3])
def test_a_plot_without_alternative_text_is_refused(alt):
    with pytest.raises(ValueError, match="alt is"):
        plots.Plot(plots.subplots()[0], alt)


def test_a_plot_of_something_else_is_refused():
    with pytest.raises(TypeError, match="expected a matplotlib Figure"):
        plots.Plot("figure", "alt")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["sepia", None, 3])
def test_an_unknown_theme_is_named(theme):
    with pytest.raises(ValueError, match=f"theme.*{theme}"):
        plots.lines([0, 1], [1, 2]).png(theme)


@pytest.mark.slow
def test_plots_come_without_torch_and_without_pyplot():
    code = "import sys, rnn_helpers.plots; print({'torch', 'matplotlib.pyplot'} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([4.6, 3, 1.9], "falls from 4.6 to 1.9"),
        ([0, 1, 2], "rises from 0 to 2"),
        ([3, 1, 2], "falls from 3 to 1 at 1, then rises to 2"),
        ([1, 3, 2], "rises from 1 to 3 at 1, then falls to 2"),
        ([2, 2.001, 2], "stays at 2"),
        ([0, 0, 0], "stays at 0"),
        ([7], "is 7"),
    ],
)
def test_the_text_describes_a_curve(y, words):
    assert course(np.arange(len(y)), np.array(y, float)) == words


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0"), (1.8961, "1.9"), (1234.5, "1,230"), (2.5e-5, "2.5e-5"), (-3.2e8, "-3.2e8")],
)
def test_the_text_gives_numbers_with_three_digits(value, said):
    assert number(value) == said


REFUSALS = {
    plots.Plot: (
        {"figure": plots.subplots()[0], "alt": "a"},
        {"figure": [None, 3], "alt": ["", None, 3, " "]},
    ),
    plots.style: ({}, {}),
    plots.subplots: ({}, {"nrows": COUNT, "ncols": COUNT, "width": POSITIVE, "height": POSITIVE}),
}
