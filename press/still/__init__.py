"""The static picture of a figure: its own markup, drawn by its own script, without a browser.

The bundle of a figure runs in V8 (the package ``mini-racer``, as KaTeX does) with linkedom for a
document. Nothing is laid out, so a figure is drawn for a width that is given.
"""

from __future__ import annotations

import base64
import io
import json
import re
import zlib
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from matplotlib.colors import to_hex, to_rgb
from PIL import Image, ImageDraw

from press.engine import engine
from rnn_helpers.explore.states import require_figure, static_file
from rnn_helpers.palette import COLOURS, RAMPS, THEMES, colour

VENDOR = Path(__file__).parents[1] / "vendor"
# The first script provides the parts of a browser that the second needs.
ENGINE = (VENDOR / "still.js", VENDOR / "linkedom.min.js")
# A polygon on a canvas, and its outline in the same color; a surface has thousands of them.
FACET = re.compile(
    r'<path fill="(rgb[^"]*)" d="M([-\d. L]+)z"/><path fill="none" stroke="\1"[^>]* d="M\2z"/>'
)
MANY = 500
VARIABLE = re.compile(r"var\((--uf-[\w-]+)\)")
MIXED = re.compile(r"color-mix\(in oklab, (#\w+) (\d+)%, (#\w+)\)")
# For each place: the width of a stage's content and the size of its type in CSS pixels, and a
# figure's largest height in ems, if there is a limit.
PLACES = {
    "page": {"width": 651, "em": 16, "room": ""},  # a chapter in a window of 1280 pixels
    "slide": {"width": 1136, "em": 26.7, "room": "20.8"},
}
# Figures whose style sheets allow another height on a slide.
ROOMS = {"unfold": "25.5"}
# Widths of drawings that share their row with other parts. Only a browser can compute them.
COLUMNS = {
    "address": {"slide": {"area": 522}},
    "attention": {"slide": {"area": 565}},
    "batching": {"slide": {"area": 816}},
    "bo": {"slide": {"area": 810}},
    "clockwork": {"slide": {"area": 802}},
    "compose": {"page": {"area": 421}, "slide": {"area": 752}},
    "curvature": {"slide": {"area": 746}},
    "depth": {"slide": {"area": 762}},
    "floors": {"slide": {"area": 762}},
    "forcing": {"slide": {"area": 658}},
    "four": {"slide": {"area": 789}},
    "freerun": {"slide": {"area": 685}},
    "gates": {"slide": {"area": 776}},
    "gru": {"page": {"area": 308}, "slide": {"area": 517}},
    "highway": {"page": {"area": 393}, "slide": {"area": 703}},
    "independence": {"slide": {"area": 650}},
    "jacobian": {"page": {"area": 457}, "slide": {"area": 810}},
    "lstm": {"page": {"rows": 274}, "slide": {"rows": 506}},
    "mappings": {"page": {"area": 325}, "slide": {"area": 629}},
    "missing": {"slide": {"area": 698}},
    "pairs": {"page": {"area": 312}, "slide": {"area": 546}},
    "products": {"page": {"area": 421}, "slide": {"area": 752}},
    "sampler": {"page": {"area": 204}, "slide": {"area": 357}},
    "scales": {"slide": {"area": 610}},
    "step": {"page": {"net": 352}, "slide": {"net": 587}},
    "tbptt": {"page": {"beside": 357}, "slide": {"area": 645, "beside": 454}},
    "tree": {"slide": {"area": 805}},
    "unfold": {"page": {"unfolded": 478}, "slide": {"unfolded": 567}},
    "value": {"page": {"area": 389}, "slide": {"area": 698}},
}


class Still(NamedTuple):
    """A figure at rest.

    Attributes
    ----------
    markup : str
        Its stage, as HTML that works in a ``<figure>`` with the figure's style sheets.
    status : str
        The text of its status line, which describes the stage; empty if there is none.
    """

    markup: str
    status: str


def draw(name, state, place="page", bare=False):
    """Draw a figure in a state.

    Parameters
    ----------
    name : str
        Name of a figure.
    state : dict
        Values of some of its controls; the others keep their defaults.
    place : {"page", "slide"}
        Where the figure is shown.
    bare : bool
        Whether its controls and its prediction are left out.

    Returns
    -------
    Still
        It follows the theme of its page. A canvas is replaced by a picture for each theme, in the
        variables ``--uf-still-light`` and ``--uf-still-dark`` of the canvas.
    """
    # Ids of a living figure count from 1.
    ids = 1000 * zlib.crc32(json.dumps([name, state], sort_keys=True).encode())
    columns = COLUMNS.get(name, {}).get(place, {})
    look = PLACES[place] | {"columns": columns, "ids": ids, "bare": bare}
    if place == "slide" and name in ROOMS:
        look["room"] = ROOMS[name]
    markup, status, light = _drawn(name, state, look, "light")
    dark = _drawn(name, state, look, "dark")[2] if light else []
    for i, pictures in enumerate(zip(light, dark, strict=True)):
        images = dict(zip(THEMES, pictures, strict=True))
        style = "".join(
            f"--uf-still-{theme}:url({_address(picture, theme)});"
            for theme, picture in images.items()
            if picture["drawn"]
        )
        markup = markup.replace(f"--uf-still:{i};", style)
    return Still(markup, status)


def still(markup, alt):
    """Wrap a stage so that a page can show it until the script takes over.

    Parameters
    ----------
    markup : str
        The markup of a `Still`.
    alt : str
        Description for screen readers, which skip the stage itself.

    Returns
    -------
    str
        HTML. The host script replaces it by the living stage.
    """
    held = f"<div inert>{markup}</div>"
    return f'<div class="unfolded-still" role="img" aria-label="{escape(alt)}">{held}</div>'


@cache
def _load(engine, name):
    require_figure(name)
    engine.eval(static_file(f"figures/{name}.js").read_text("utf-8") + ";0")


@cache
def properties(theme):
    """Return the palette as the custom properties that figures read."""
    plain = {f"--uf-{name}": colour(name, theme) for name in COLOURS}
    ramps = {
        f"--uf-{name}-{i}": value
        for name, ramp in RAMPS.items()
        for i, value in enumerate(ramp[theme])
    }
    return plain | ramps


def _drawn(name, state, look, theme):
    v8 = engine(*ENGINE)
    _load(v8, name)
    given = json.dumps([name, state, look | {"style": properties(theme)}])
    # Between two calls V8 runs the tasks that the figure has queued until all values are set.
    v8.eval(f"drawn = still.begin(...{given});0")
    v8.eval("still.settle();0")
    return json.loads(v8.eval("JSON.stringify(still.finish(drawn))"))


def _address(picture, theme):
    """Return a canvas's picture as a data URI."""
    size = int(picture["width"]), int(picture["height"])
    if picture["kind"] == "pixels":
        return _webp(Image.frombytes("RGBA", size, bytes.fromhex(picture["drawn"])))
    inside = VARIABLE.sub(lambda found: properties(theme)[found[1]], picture["drawn"])
    inside = MIXED.sub(_mixed, inside)
    if len(facets := FACET.findall(inside)) > MANY:
        full = f'width="{size[0]}" height="{size[1]}"'
        inside = f'<image {full} href="{_webp(_painted(facets, size))}"/>{FACET.sub("", inside)}'
    box = f'viewBox="0 0 {size[0]} {size[1]}" preserveAspectRatio="none"'
    source = f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{inside}</svg>'
    # Base 64 would hide repetitions from gzip.
    return f"'data:image/svg+xml,{quote(source, safe=' =:/,;()')}'"


def _mixed(found):
    """Return a mixture of two neighbors of a ramp as one color, as plots mix them."""
    above, share, below = found.groups()
    share = float(share) / 100
    pairs = zip(to_rgb(above), to_rgb(below), strict=True)
    return to_hex([share * one + (1 - share) * other for one, other in pairs])


def _webp(image):
    file = io.BytesIO()
    image.save(file, "WEBP", quality=60, alpha_quality=50, method=6)
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"


def _painted(facets, size):
    """Draw a surface of small polygons as pixels, because it would be large as SVG."""
    image = Image.new("RGBA", size)
    pen = ImageDraw.Draw(image)
    for color, corners in facets:
        points = [float(number) for number in re.split("[ L]", corners)]
        pen.polygon(points, color, color, width=2)
    return image.reduce(2)  # a canvas is twice as large as it is shown, so edges stay smooth
