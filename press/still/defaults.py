"""The pictures of the figures' default states, for places without styles and scripts.

Each is an SVG file. `APPROVED` records the states that the pictures show, so that nobody changes a
default state without reading the figure's alt and story again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from press import browser
from press.still import PLACES, draw, properties
from press.still.faces import faces
from rnn_helpers import figures
from rnn_helpers.explore import manifest, styles_for
from rnn_helpers.explore.states import (
    SHARED,
    complete,
    picture_file,
    require_figure,
    static_file,
)
from rnn_helpers.palette import THEMES

APPROVED = SHARED / "defaults.json"
# Styles that figures get from the page elsewhere, and those of a dark picture.
ALONE = (
    ":root{font-size:16px}"
    ".unfolded-figure{margin:0;background:var(--uf-paper)}"
    ".unfolded-figure .unfolded-stage{border-color:transparent}"
    ".uf-scroll{overflow:hidden!important}"
    ":target .unfolded-still canvas{background-image:var(--uf-still-dark)}"
)
PALETTE = "--uf-ink:"
IDLE = re.compile("^@|:hover|:focus|:active|^html|[.]reveal")
HEIGHT = re.compile(r'height="(\d+)"')
GUESS = 600  # pixels of height, until a browser has laid a new figure out
SLACK = 1  # pixel by which heights differ from one computer to another
APPROVE = "figures whose alt and story still describe their changed default state"
UNREAD = (
    "The default state of {name} changed, but its alt and its story did not. Look at the figure. "
    "Correct them in rnn_helpers/figures/{name}/meta.js and run `make figures`; or, if they still "
    "describe it, run `python -m press.still --approve {name}`."
)
LENGTHS = re.compile(r' (x|y|width|height|[cr]?[xy]|r|[xy][12]|d|points)="[^"]*"')
TENTHS = re.compile(r"\d+\.\d\d+")
CELL = re.compile(
    r'<rect style="fill:([^"]*)" height="([\d.]+)" width="([\d.]+)" y="([\d.]+)" x="([\d.]+)"/>'
)
CELLS = re.compile(rf"(?:{re.sub(r'[(]', '(?:', CELL.pattern)}){{2,}}")
FACE = re.compile(r"@font-face\{[^}]*\}")
MEASURE = """<script>
const height = ({ shadowRoot }) => shadowRoot.querySelector("figure").offsetHeight;
Promise.all([...document.fonts].map((face) => face.load())).then(() => {
  document.body.textContent = JSON.stringify([...document.querySelectorAll("div")].map(height));
});
</script>"""
PATIENCE = "--virtual-time-budget=10000"  # ms of the page's own time, because fonts load late


def drawable():
    """Name the figures that draw something; the others have words instead."""
    return [name for name in manifest() if not hasattr(figures.module(name), "fallback")]


def height(name):
    """Return the height of a figure's picture in CSS pixels, as it was measured last."""
    path = picture_file(name)
    return int(HEIGHT.search(path.read_text("utf-8"))[1]) if path.exists() else GUESS


def picture(name, height, state=None):
    """Draw a figure as an SVG file.

    Parameters
    ----------
    name : str
        Name of a figure.
    height : int
        In CSS pixels; only a browser can compute it.
    state : dict, optional
        Values of some of its controls; by default, the figure's default state.

    Returns
    -------
    str
        The file. With ``#dark`` at the end of its address, it is dark.
    """
    sheets = "".join(static_file(path).read_text("utf-8") for path in styles_for([name]))
    markup = _lighter(draw(name, state or {}, bare=True).markup, sheets)
    css = _pruned(sheets, _names(markup)) + ALONE
    css = faces(markup, list(_flat(css))) + css
    used = set(re.findall(r"--uf-[\w-]+", css + markup))
    themes = (
        f".unfolded-figure{{color-scheme:{theme};{_colors(theme, used)}}}" for theme in THEMES
    )
    css += ":target ".join(themes)
    width = PLACES["page"]["width"] + 2 * (1 + 1.1 * 16)  # the stage has a border and a padding
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="dark" width="{width:g}" height="{height}">'
        f"<style>{escape(css, quote=False)}</style>"
        '<foreignObject width="100%" height="100%">'
        '<figure xmlns="http://www.w3.org/1999/xhtml" class="unfolded-figure">'
        f'<div class="unfolded-still">{markup}</div></figure></foreignObject></svg>\n'
    )


def measured(pictures):
    """Return the heights of pictures in CSS pixels, as a browser lays them out."""
    # In shadow roots, the styles of one picture don't affect the others. Fonts work only outside.
    sheets = (static_file(name).read_text("utf-8") for name in ("sans.css", "figures.css"))
    fonts = "".join(FACE.findall("".join(sheets)))
    apart = (f'<div><template shadowrootmode="open">{one}</template></div>' for one in pictures)
    with TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        head = f"<!doctype html><meta charset=utf-8><style>{fonts}</style>"
        page.write_text(f"{head}{''.join(apart)}{MEASURE}", "utf-8")
        return json.loads(re.search(r"\[[\d,]+\]", browser.browse(page, PATIENCE, "--dump-dom"))[0])


def default_state(name):
    """Return a figure's default state, its status line, and a hash of its alt and story."""
    meta = require_figure(name)
    written = hashlib.sha256(f"{meta['alt']}\n{meta['story']}".encode()).hexdigest()[:16]
    return {"defaults": complete(name, {}), "status": draw(name, {}).status, "written": written}


def is_unread(known, now):
    """Return whether a default state or its status changed while alt and story did not."""
    return known["written"] == now["written"] and known != now


def main(argv=None):
    """Draw the pictures of all figures, and record the default states that they show."""
    parser = argparse.ArgumentParser("python -m press.still", description=main.__doc__)
    parser.add_argument("--approve", nargs="+", default=[], metavar="NAME", help=APPROVE)
    approved = parser.parse_args(argv).approve
    pictures = {name: picture(name, height(name)) for name in drawable()}
    if browser.find():
        for name, found in zip(pictures, measured(pictures.values()), strict=True):
            if abs(found - height(name)) > SLACK:
                pictures[name] = picture(name, found)
    else:
        print("no browser was found, so the pictures keep their heights")
    for name, made in pictures.items():
        picture_file(name).write_text(made, "utf-8")
    known = json.loads(APPROVED.read_text("utf-8")) if APPROVED.exists() else {}
    states = {name: default_state(name) for name in pictures}
    for name in states.keys() & known.keys() - set(approved):
        if is_unread(known[name], states[name]):
            print(UNREAD.format(name=name))
            states[name] = known[name]
    APPROVED.write_text(json.dumps(states, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _lighter(markup, css):
    """Round lengths to tenths, draw cells of one color as one path, and drop data for scripts."""
    markup = LENGTHS.sub(lambda found: TENTHS.sub(lambda n: f"{float(n[0]):.1f}", found[0]), markup)
    unused = {name for name in re.findall(r" (data-[\w-]+)=", markup) if f"[{name}" not in css}
    if unused:
        markup = re.sub(rf' ({"|".join(unused)})="[^"]*"', "", markup)
    return CELLS.sub(_path, markup)


def _path(cells):
    """Return cells as lines that are as wide as a cell is high, one path for each color."""
    paths: dict[tuple, str] = {}
    for fill, *lengths in CELL.findall(cells[0]):
        h, w, y, x = map(float, lengths)
        look = fill, f"{h:g}"
        paths[look] = paths.get(look, "") + f"M{x:g} {round(y + h / 2, 2):g}h{w:g}"
    return "".join(
        f'<path style="stroke:{fill};stroke-width:{h}" d="{d}"/>' for (fill, h), d in paths.items()
    )


def _colors(theme, used):
    return "".join(f"{key}:{value};" for key, value in properties(theme).items() if key in used)


def _rules(css):
    """Yield the head and the block of each rule."""
    at = 0
    while (start := css.find("{", at)) >= 0:
        end, depth = start + 1, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(css[end], 0)
            end += 1
        yield css[at:start], css[start + 1 : end - 1]
        at = end


def _flat(css):
    """Yield the rules, also those inside others."""
    for head, block in _rules(css):
        if head.startswith("@container"):
            yield from _flat(block)
        else:
            yield head, block


def _names(markup):
    """Return the tags, the classes and the attributes of a picture, as selectors name them."""
    classes = " ".join(re.findall('class="([^"]*)"', markup)).split()
    return (
        {f".{name}" for name in [*classes, "unfolded-figure", "unfolded-still"]}
        | set(re.findall(r"<([\w-]+)", markup))
        | {f"[{name}" for name in re.findall(r' ([\w-]+)="', markup)}
        | {"figure"}
    )


def _is_used(selector, names):
    """Return whether a picture may have elements for a selector."""
    selector, chosen = re.sub(r":not\([^()]*\)", "", selector), False
    while found := re.search(r":(is|where)\(([^()]*)\)", selector):
        # An element needs one of these selectors, and that may be all it needs.
        chosen = any(_is_used(one, names) for one in found[2].split(","))
        if not chosen:
            return False
        selector = selector.replace(found[0], "", 1)
    plain = re.sub(r'="[^"]*"|=[^\]]*|::?[\w-]+(\([^()]*\))?', "", selector)
    wanted = set(re.findall(r"[.[]?[a-zA-Z_][\w-]*", plain))
    return (chosen or bool(wanted)) and wanted <= names


def _pruned(css, names):
    """Keep the rules for these names, except those for pointers, focus, paper and decks."""
    kept = []
    for head, block in _rules(css):
        if head.startswith("@container"):
            inner = _pruned(block, names)
            kept.append(f"{head}{{{inner}}}" if inner else "")
        elif PALETTE in block:  # a picture gets the colors that it uses
            continue
        elif not IDLE.search(head) and any(_is_used(part, names) for part in _parts(head)):
            kept.append(f"{head}{{{block}}}")
    return "".join(kept)


def _parts(selectors):
    """Split at the commas outside parentheses."""
    return re.findall(r"(?:[^,(]|\((?:[^()]|\([^()]*\))*\))+", selectors)
