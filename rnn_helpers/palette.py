"""One color, one meaning: the palette of pages, decks, plots and interactive figures.

The colors live in ``palette.json``, which the JavaScript figures read too. Each has a value for
light pages and one for dark pages; those that stand for a quantity also have a marker and a dash
pattern, so that no figure relies on color alone.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

_DATA = json.loads(Path(__file__).with_name("palette.json").read_text("utf-8"))

THEMES = ("light", "dark")
# Selectors that match in the dark themes of the book, JupyterLab and VS Code.
DARK = _DATA["dark"]


@dataclass(frozen=True)
class Colour:
    """A color and its meaning.

    Attributes
    ----------
    light, dark : str
        Hex values ``#rrggbb`` on light and on dark pages.
    use : {"text", "graphic", "ground"}
        What its contrast allows: text (4.5:1), graphics (3:1), or neither.
    means : str
        Its one meaning.
    marker : str or None
        Name of the shape that goes with it.
    dash : tuple of int
        On-off lengths of the line that goes with it, in line widths; empty is solid.
    """

    light: str
    dark: str
    use: str
    means: str
    marker: str | None = None
    dash: tuple[int, ...] = ()


COLOURS = {
    name: Colour(**{**entry, "dash": tuple(entry.get("dash", ()))})
    for name, entry in _DATA["colours"].items()
}

# name -> {"light": [hex, ...], "dark": [hex, ...]}: the stops of the color maps of heat maps.
RAMPS = {name: {theme: ramp[theme] for theme in THEMES} for name, ramp in _DATA["ramps"].items()}


def colour(name, theme="light"):
    """Hex value of a meaning.

    Parameters
    ----------
    name : str
        A key of ``COLOURS``, such as ``"state"``.
    theme : {"light", "dark"}
    """
    if not isinstance(name, str) or name not in COLOURS:
        raise ValueError(f"name is {name!r}; the palette has {', '.join(COLOURS)}")
    if theme not in THEMES:
        raise ValueError(f"theme is {theme!r}; expected 'light' or 'dark'")
    return getattr(COLOURS[name], theme)


def css():
    """Style sheet with a custom property per meaning: ``--uf-input``, ``--uf-state``, ...

    The values follow the theme of the book, JupyterLab or VS Code, and are light on paper.
    """
    root, dark = ":root", ", ".join(DARK)

    def rule(selector, theme):
        lines = [f"  --uf-{name}: {getattr(c, theme)};" for name, c in COLOURS.items()]
        return "\n".join([f"{selector} {{", *lines, "}"])

    return "\n".join(
        [
            rule(root, "light"),
            rule(dark, "dark"),
            # As specific as the rule above and after it, so that dark readers print on white too.
            "@media print {",
            rule(f"{root}, {dark}", "light"),
            "}",
            "",
        ]
    )


def contrast(first, second):
    """Contrast ratio of two hex colors as WCAG 2 defines it, from 1 to 21."""
    for name, value in (("first", first), ("second", second)):
        if not isinstance(value, str) or not re.fullmatch(r"#[0-9a-fA-F]{6}", value):
            raise ValueError(f"{name} is {value!r}; expected a colour written #rrggbb")
    lighter, darker = sorted(map(_luminance, (first, second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(value):
    channels = (int(value[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
