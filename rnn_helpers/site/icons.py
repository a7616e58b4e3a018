"""The icons that the site uses, of the 1,900 that its theme brings twice: as a script and as fonts.

After a build the pages' markup and the theme's scripts are read for the names of icons. The theme's
style sheet keeps the rules of these alone, its fonts the letters that are then still in it, and the
script, which would draw the same icons once more, goes; so do other files that no page loads. From
the style sheet of sphinx-design, the rules for classes that no page has are removed as well.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

from .policy import built_pages

NAME = re.compile(r"\bfa-[a-z0-9-]+")
RULE = re.compile(r'[^{}]*\{content:"[^"]*"\}')
DESIGNED = re.compile(r"\bsd-[\w-]+")  # a class of sphinx-design, most of which no page has
# An icon is a letter of the fonts' private range, written as itself or escaped.
LETTER = re.compile(r"[\ue000-\uf8ff]|\\[ef][0-9a-f]{3}\b")
SHEET = "styles/pydata-sphinx-theme.css"
FONTS = "vendor/fontawesome/webfonts"
SOURCES = re.compile(
    rf'({FONTS}/[\w-]+)\.woff2\) format\("woff2"\),url\([^)]*\) format\("truetype"\)'
)
FAMILY = {1, 3, 4, 6, 16}  # the records of a font's name table that name it
UNUSED = (
    "scripts/fontawesome.js*",
    f"{FONTS}/*.ttf",
    f"{FONTS}/*.woff2",
    "locales/*/*/*",  # translations of the theme's words, which are in the pages by now
    "manifest.json",  # of the figures: Python reads it, from the package
    "**/*.map",  # source maps of the theme, for those who debug it
)
DESIGN = "sphinx-design.min.css"
MAPPED = re.compile(r"\n?/[/*]# sourceMappingURL=[^\s*]+(?:\*/)?\s*$")


def only_named(sheet: str, names: set[str]) -> str:
    """Leave out of a style sheet the rules of icons that nobody names.

    Parameters
    ----------
    sheet : str
        The theme's CSS, minified.
    names : set of str
        As in markup: ``fa-bars``.

    Returns
    -------
    str
    """

    def kept(rule: re.Match) -> str:
        icons = NAME.findall(rule[0].partition("{")[0])
        return rule[0] if not icons or names.intersection(icons) else ""

    return RULE.sub(kept, sheet)


def only_designed(sheet: str, names: set[str]) -> str:
    """Leave out of sphinx-design's style sheet the rules for classes that nobody names.

    Parameters
    ----------
    sheet : str
        The CSS, minified.
    names : set of str
        As in markup: ``sd-card``.

    Returns
    -------
    str
    """

    def kept(rule: re.Match) -> str:
        classes = re.findall(r"\.(sd-[\w-]+)", rule[0].partition("{")[0])
        return rule[0] if not classes or names.intersection(classes) else ""

    return re.sub(r"[^{}]*\{[^{}]*\}", kept, sheet)


def letters(sheet: str) -> set[int]:
    """Code points of the icons that a style sheet shows."""
    found = LETTER.findall(sheet)
    return {ord(letter) if len(letter) == 1 else int(letter[1:], 16) for letter in found}


def subset(font: Path, wanted: set[int], target: Path) -> None:
    """Write a font of these letters alone, as WOFF.

    A changed font must not be called Source, which is a reserved name.
    """
    from fontTools import subset as tool

    logging.getLogger("fontTools").setLevel(logging.ERROR)  # else Sphinx prints each of its steps
    options = tool.Options(flavor="woff")
    with tool.load_font(font, options) as loaded:
        subsetter = tool.Subsetter(options)
        subsetter.populate(unicodes=wanted)
        subsetter.subset(loaded)
        for record in loaded["name"].names:
            if record.nameID in FAMILY:
                record.string = record.toUnicode().replace("Source", "Unfolded")
        tool.save_font(loaded, target, options)


def _keep_the_few(app, exception) -> None:
    import pydata_sphinx_theme

    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    theme = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
    for pattern in UNUSED:
        for path in static.glob(pattern):
            path.unlink()
    for path in [*static.glob("scripts/*.js"), *static.glob("styles/*.css")]:
        path.write_text(MAPPED.sub("\n", path.read_text("utf-8")), "utf-8")
    readers = [*built_pages(app), *static.glob("scripts/*.js")]
    texts = [path.read_text("utf-8") for path in readers]
    names = {name for text in texts for name in NAME.findall(text)}
    sheet = only_named(MAPPED.sub("\n", (theme / SHEET).read_text("utf-8")), names)
    (static / SHEET).write_text(SOURCES.sub(r'\1.woff) format("woff")', sheet), "utf-8")
    design = static / DESIGN
    if design.is_file():
        classes = {name for text in texts for name in DESIGNED.findall(text)}
        design.write_text(only_designed(design.read_text("utf-8"), classes), "utf-8")
    wanted = set().union(*(letters(path.read_text("utf-8")) for path in static.rglob("*.css")))
    for font in (theme / FONTS).glob("*.ttf"):
        subset(font, wanted, static / FONTS / f"{font.stem}.woff")


def setup(app) -> None:
    """Register the pass over the theme's files."""
    app.connect("build-finished", _keep_the_few, priority=800)
