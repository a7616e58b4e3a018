"""Pages load only our own files, and these are small and readable."""

import gzip
import re

import pytest
import yaml
from books import BOOK, ROOT
from pygments.styles import get_style_by_name
from pygments.token import Token

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import SHARED, static_file
from rnn_helpers.palette import COLOURS, contrast

OURS, FIGURES = ROOT / "press", ROOT / "rnn_helpers/figures"
TEXT = {".js", ".css", ".svg", ".html", ".j2", ".json"}
# Names of vocabularies, which a browser doesn't fetch, and a license's address.
NAMES = re.compile(r"https?://(?:www\.w3\.org/|jquery\.org/license)\S*")
ELSEWHERE = re.compile(r"(?:https?:)?//[\w-]+(?:\.[\w-]+)+")
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
SPHINX = CONFIG["sphinx"]["config"]


def assets():
    for folder in (OURS / "static", OURS / "templates", SHARED, *FIGURES.glob("*/built")):
        yield from (path for path in folder.rglob("*") if path.suffix in TEXT)


def sources():
    """The JavaScript of figures and of their host."""
    return [*FIGURES.glob("*/*.js"), *(ROOT / "explorables/host").glob("*.js")]


def learned_weights():
    """The weights of each trained figure's networks in base 64, as its bundle carries them."""
    stored = sorted(FIGURES.glob("*/trained.json"))
    found = {path: re.findall(r'"weights": ?"([^"]+)"', path.read_text("utf-8")) for path in stored}
    return {path.parent.name: weights for path, weights in found.items() if weights}


LEARNED = learned_weights()


def zipped(text):
    return len(gzip.compress(text.encode()))


@pytest.mark.parametrize("path", list(assets()), ids=lambda path: path.name)
def test_no_asset_names_another_host(path):
    text = NAMES.sub("", path.read_text("utf-8"))
    assert ELSEWHERE.findall(text) == []


def test_the_index_of_shared_modules_is_complete():
    folder = FIGURES / "lib"
    named = re.findall(r"^- `(\w+\.js)`", (folder / "README.md").read_text("utf-8"), re.M)
    assert named == sorted(path.name for path in folder.glob("*.js"))


def test_no_figure_has_a_class_that_the_themes_icons_take_for_theirs():
    icons = re.compile(r"""class: ["'`](?:[^"'`]* )?fa[bdlrst]?[ "'`]""")
    assert [path.name for path in sources() if icons.search(path.read_text("utf-8"))] == []


def test_no_part_of_a_figure_has_a_class_that_the_themes_grid_moves():
    """Bootstrap adds space around the children of a row, and a number crossed its box."""
    grid = re.compile(
        r"""html\(\s*"\w+",\s*\{[^{}]*?class: ["'`](?:[^"'`]* )?(row|col|container)[ "'`]"""
    )
    assert [path.name for path in sources() if grid.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("name", sorted(manifest()))
def test_a_figure_is_small(name):
    """Gzipped, it has at most 15 kB without its networks, and 40 kB with any one of them."""
    bundle = static_file(f"figures/{name}.js").read_text("utf-8")
    carried = [one for weights in LEARNED.values() for one in weights if one in bundle]
    for weights in carried:
        bundle = bundle.replace(weights, "")
    assert zipped(bundle) <= 15_000
    assert all(zipped(bundle + weights) <= 40_000 for weights in carried)


@pytest.mark.parametrize("name", LEARNED)
def test_the_weights_that_figures_carry_are_small(name):
    """The limit is for all networks of a module, which states it. Some bundle contains them."""
    weights = LEARNED[name]
    module = (FIGURES / name / "trained.py").read_text("utf-8")
    assert sum(map(len, weights)) <= int(re.search(r"^MOST_LETTERS = (\d+_\d+)$", module, re.M)[1])
    bundles = [path.read_text("utf-8") for path in FIGURES.glob("*/built/*.js")]
    assert any(all(one in bundle for one in weights) for bundle in bundles)


def test_the_host_is_small():
    assert len(gzip.compress((SHARED / "host.js").read_bytes())) <= 3_000


def test_every_feature_that_fetches_is_off():
    assert not {"sphinx_thebe", "sphinx.ext.mathjax", "sphinx.ext.intersphinx"} & set(
        SPHINX["extensions"]
    )
    assert SPHINX["nb_ipywidgets_js"] == {}
    assert SPHINX["html_math_renderer"] == "unfolded"


def test_equations_carry_the_numbers_of_their_source():
    assert SPHINX["math_numfig"] is False


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_code_is_readable(theme):
    """WCAG AA, both on the page and on the panel of a code cell."""
    style = get_style_by_name(SPHINX["html_theme_options"][f"pygments_{theme}_style"])
    grounds = [getattr(COLOURS[name], theme) for name in ("paper", "surface")]
    for token, rule in style:
        colour = rule["color"]
        if colour and token in Token and not rule["bgcolor"]:
            assert min(contrast(f"#{colour}", ground) for ground in grounds) >= 4.5, (token, colour)


def test_the_book_keeps_no_scripts_of_its_own():
    """Jupyter Book would add every script below a folder _static to every page."""
    assert not (ROOT / "_static").exists()
    assert list(BOOK.rglob("*.js")) == []


def test_no_figure_imports_another():
    """Code that two figures need is in ``lib``; networks have folders that are no figures."""
    figures = [meta.parent for meta in FIGURES.glob("*/meta.js")]
    taken = re.compile(rf'from "\.\./({"|".join(folder.name for folder in figures)})/')
    paths = (path for folder in figures for path in folder.glob("*.js"))
    assert [str(path) for path in paths if taken.search(path.read_text("utf-8"))] == []


def test_reading_a_figures_meta_draws_no_node():
    """``meta.js`` imports only constants, so that no module imports itself through it."""
    for path in FIGURES.glob("*/meta.js"):
        modules = re.findall(r'from "([^"]+)"', path.read_text("utf-8"))
        assert set(modules) <= {"./math.js"} | {name for name in modules if name.endswith(".json")}


FACES = {"frak": "Fraktur", "sf": "SansSerif", "scr": "Script", "tt": "Typewriter"}


def test_every_typeface_that_formulas_use_has_its_font():
    fonts = {path.name for path in (OURS / "static/katex/fonts").iterdir()}
    pages = [*BOOK.glob("*.ipynb"), *BOOK.rglob("*.md"), *BOOK.glob("*.yml")]
    used = {
        FACES[face]
        for path in [*pages, *(ROOT / "rnn_helpers").rglob("*.py"), *OURS.rglob("*.py")]
        for face in re.findall(r"\\(?:math|text)?(frak|sf|scr|tt)\b", path.read_text("utf-8"))
    }
    assert {face for face in used if f"KaTeX_{face}-Regular.woff2" not in fonts} == set()


def test_vendored_files_of_decks_name_their_version_and_carry_licenses():
    vendor = OURS / "vendor/reveal"
    assert "* reveal.js 5.2.0\n" in (vendor / "reveal.js").read_text("utf-8")
    assert "Hakim El Hattab" in (vendor / "LICENSE").read_text("utf-8")
