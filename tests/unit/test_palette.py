import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from rnn_helpers.palette import COLOURS, DARK, RAMPS, THEMES, colour, contrast, css

ROOT = Path(__file__).parents[2]
# Page and panel of the book's theme, and JupyterLab's.
GROUNDS = {
    "light": ["#ffffff", "#f3f4f5"],
    "dark": ["#121212", "#14181e", "#29313d", "#111111", "#212121"],
}
QUANTITIES = [name for name, entry in COLOURS.items() if entry.marker and name != "parameter"]

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
VISION = {
    "all cones": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def linear_rgb(value):
    rgb = np.array([int(value[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def oklab(rgb):
    """Ottosson's space, in which equal distances look about equally large."""
    lms = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return lab @ np.cbrt(lms @ np.clip(rgb, 0, 1))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", COLOURS)
def test_every_colour_stands_out_from_every_ground(name, theme):
    needed = {"text": 4.5, "graphic": 3.0, "ground": 1.0}[COLOURS[name].use]
    for ground in GROUNDS[theme]:
        assert contrast(colour(name, theme), ground) >= needed, ground


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISION)
def test_colours_of_quantities_differ_for_colour_blind_readers(vision, theme):
    seen = {
        name: oklab(np.array(VISION[vision]) @ linear_rgb(colour(name, theme)))
        for name in QUANTITIES
    }
    for first, second in itertools.combinations(QUANTITIES, 2):
        assert np.linalg.norm(seen[first] - seen[second]) >= 0.06, (first, second)


def test_no_two_quantities_share_a_marker_and_few_a_dash():
    markers = [COLOURS[name].marker for name in QUANTITIES]
    assert len(set(markers)) == len(markers)
    # Input and state differ by their markers; both are solid.
    assert len({COLOURS[name].dash for name in QUANTITIES}) == len(QUANTITIES) - 1


def test_a_light_colour_has_exactly_one_dark_counterpart():
    pairs = {(entry.light, entry.dark) for entry in COLOURS.values()}
    light, dark = {p[0] for p in pairs}, {p[1] for p in pairs}
    assert len(light) == len(dark) == len(pairs)
    assert not light & dark


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", RAMPS)
def test_ramps_start_or_turn_at_the_page_and_grow_steadily_away_from_it(name, theme):
    stops = RAMPS[name][theme]
    calm = len(stops) // 2 if name == "signed" else 0
    assert contrast(stops[calm], colour("paper", theme)) < 1.35
    for side in (stops[calm:], stops[calm::-1]):
        away = [contrast(stop, stops[calm]) for stop in side]
        assert away == sorted(away)


def test_css_has_every_colour_for_each_theme_and_is_light_on_paper():
    text = css()
    for name, entry in COLOURS.items():
        assert text.count(f"--uf-{name}: {entry.light};") == 2  # on screen and in print
        assert text.count(f"--uf-{name}: {entry.dark};") == 1
    assert text.index('html[data-theme="dark"]') < text.index("@media print")
    assert all(text.count(selector) == 2 for selector in DARK)
    assert text.count("{") == text.count("}")


def test_figures_and_plots_take_the_colors_of_signs_from_one_place():
    figures = [
        path for kind in ("js", "css") for path in (ROOT / "explorables/figures").rglob(f"*.{kind}")
    ]
    package = set((ROOT / "rnn_helpers").rglob("*.py")) - {ROOT / "rnn_helpers/plots/plot.py"}
    own = re.compile(r"signed-\d|Colormap\b|cmap=[\"']|colormaps|TwoSlopeNorm|CenteredNorm")
    assert [path for path in (*figures, *package) if own.search(path.read_text("utf-8"))] == []


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=1e-3)


@pytest.mark.parametrize(("name", "theme"), [("hidden", "light"), ("state", "sepia")])
def test_unknown_names_are_reported(name, theme):
    with pytest.raises(ValueError, match=r"hidden|sepia"):
        colour(name, theme)


REFUSALS = {
    colour: (
        {"name": "state", "theme": "light"},
        {"name": ["no", None, 3, ["a"]], "theme": ["no", None, 3]},
    ),
    contrast: (
        {"first": "#ffffff", "second": "#000000"},
        {"first": ["", "red", "#fff", None, 3, "#gggggg"], "second": ["", None]},
    ),
    css: ({}, {}),
}
