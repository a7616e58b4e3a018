"""The pictures by which a figure is shown where it does not live: its card, its preview.

They are drawn once, and kept beside the outputs of the notebooks.
"""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

from PIL import Image

from rnn_helpers.palette import THEMES, colour

CARD = (640, 480)  # pixels within which a card's picture fits: twice what a page gives it
PREVIEW = (1200, 630)  # pixels, as those want it who show previews of links
MARGIN = 32
INKS = 64  # colours of a small picture


def drawn(name: str, folder: Path) -> dict:
    """Give what is drawn of a figure at its defaults; draw it if it is not kept.

    Parameters
    ----------
    name : str
        A figure that has a poster.
    folder : Path
        Where it is kept.

    Returns
    -------
    dict
        ``payload``, what `explore.markup` takes; ``card``, pictures ``light`` and ``dark``; and
        ``preview``, a picture. Pictures are PNGs in base64.
    """
    kept = folder / f"{name}.json"
    try:
        return json.loads(kept.read_text("utf-8"))
    except (FileNotFoundError, ValueError):  # none yet, or a damaged one
        made = draw(name)
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(made), "utf-8")
    return made


def draw(name: str) -> dict:
    """Draw what `drawn` gives."""
    from rnn_helpers.explore import show
    from rnn_helpers.explore.figures import module
    from rnn_helpers.explore.states import complete

    poster = module(name).poster(complete(name, {})).payload
    posters = {theme: _read(poster[theme]) for theme in THEMES}
    return {
        "payload": show(name).payload | {"poster": poster},
        "card": {theme: _written(card(poster)) for theme, poster in posters.items()},
        "preview": _written(preview(posters["light"])),
    }


def card(poster: Image.Image) -> Image.Image:
    """Make a poster small."""
    small = poster.copy()
    small.thumbnail(CARD, Image.Resampling.LANCZOS)
    return small


def preview(poster: Image.Image) -> Image.Image:
    """Lay a poster in the middle of light paper."""
    paper = Image.new("RGBA", PREVIEW, colour("paper"))
    width, height = PREVIEW
    scale = min((width - 2 * MARGIN) / poster.width, (height - 2 * MARGIN) / poster.height)
    poster = poster.resize(
        (round(scale * poster.width), round(scale * poster.height)), Image.Resampling.LANCZOS
    )
    paper.alpha_composite(poster, ((width - poster.width) // 2, (height - poster.height) // 2))
    return paper


def _read(encoded: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGBA")


def _written(image: Image.Image) -> str:
    file = io.BytesIO()
    image.quantize(INKS, Image.Quantize.FASTOCTREE).save(file, "PNG", optimize=True)
    return base64.b64encode(file.getvalue()).decode()
