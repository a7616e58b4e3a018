"""The part of the theme's files that the site uses.

The theme brings 1,900 icons twice, as a script and as fonts, and its style sheets have rules for
everything that Bootstrap can do. After a build this pass reads the words of all pages and scripts.
Style sheets keep the rules for classes among these words (`only_used`), and the fonts keep the
icons that the style sheets still show. The script that would draw the icons again is removed, and
so are other files that no page loads.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

from press.policy import built_pages

WORD = re.compile(r"[\w-]+")
CLASS = re.compile(r"\.(-?[a-zA-Z_][\w-]*)")
COMPOSED = "bs-"  # how classes begin that a script puts together from parts
IN_BRACKETS = re.compile(r"\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]")
SELECTOR = re.compile(rf"(?:[^,(\[]|{IN_BRACKETS.pattern})+")
COMMENT = re.compile(r"(/\*.*?\*/)", re.S)
RULE = re.compile(r"([^{};]*)(\{[^{}]*\})")
EMPTY = re.compile(r"@(?:media|supports)[^{}]*\{\s*\}")
# An icon is a letter of the fonts' private range, written as itself or escaped.
LETTER = re.compile(r"[\ue000-\uf8ff]|\\[ef][0-9a-f]{3}\b")
SHEET = "styles/pydata-sphinx-theme.css"
FONTS = "vendor/fontawesome/webfonts"
SOURCES = re.compile(
    rf'({FONTS}/[\w-]+)\.woff2\) format\("woff2"\),url\([^)]*\) format\("truetype"\)'
)
UNUSED = (
    "scripts/fontawesome.js*",
    f"{FONTS}/*.ttf",
    f"{FONTS}/*.woff2",
    "locales/*/*/*",  # translations of the theme's words, which are in the pages by now
    "manifest.json",  # of the figures: Python reads it, from the package
    "defaults.json",
    "copybutton_funcs.js",  # the source of a part of copybutton.js
    "*webpack-macros.html",  # read when pages are made
    "**/*.map",  # source maps of the theme, for those who debug it
)
# Sheets of the theme and its extensions that only pages load: decks need all of KaTeX's.
SHEETS = ("styles/*.css", "basic.css", "mystnb.*.css", "sphinx-design.min.css")
MAPPED = re.compile(r"\n?/[/*]# sourceMappingURL=[^\s*]+(?:\*/)?\s*$")


def only_used(sheet: str, words: set[str]) -> str:
    """Leave out of a style sheet the rules for classes that neither a page nor a script names.

    Parameters
    ----------
    sheet : str
        The CSS.
    words : set of str
        Every word of the pages and scripts, so that a class that a script sets is among them.

    Returns
    -------
    str
        The CSS without these rules. A selector is judged by its classes outside parentheses.
    """

    def used(selector: str) -> bool:
        classes = CLASS.findall(IN_BRACKETS.sub("", selector))
        return all(name in words or name.startswith(COMPOSED) for name in classes)

    def kept(rule: re.Match) -> str:
        selectors = SELECTOR.findall(rule[1])
        wanted = [selector for selector in selectors if used(selector)]
        if len(wanted) == len(selectors) or ",".join(selectors) != rule[1]:
            return rule[0]
        return ",".join(wanted) + rule[2] if wanted else ""

    parts = COMMENT.split(sheet)  # the text outside comments is at even places
    parts[::2] = [RULE.sub(kept, part) for part in parts[::2]]
    return EMPTY.sub("", "".join(parts))


def letters(sheet: str) -> set[int]:
    """Code points of the icons that a style sheet shows."""
    found = LETTER.findall(sheet)
    return {ord(letter) if len(letter) == 1 else int(letter[1:], 16) for letter in found}


def subset(font: Path, wanted: set[int], target: Path) -> None:
    """Write a font of these letters alone, as WOFF."""
    from fontTools import subset as tool

    logging.getLogger("fontTools").setLevel(logging.ERROR)  # else Sphinx prints each of its steps
    options = tool.Options(flavor="woff")
    with tool.load_font(font, options) as loaded:
        subsetter = tool.Subsetter(options)
        subsetter.populate(unicodes=wanted)
        subsetter.subset(loaded)
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
    readers = [*built_pages(app), *static.rglob("*.js")]
    words = {word for path in readers for word in WORD.findall(path.read_text("utf-8"))}
    sheet = MAPPED.sub("\n", (theme / SHEET).read_text("utf-8"))
    (static / SHEET).write_text(SOURCES.sub(r'\1.woff) format("woff")', sheet), "utf-8")
    for path in {path for pattern in SHEETS for path in static.glob(pattern)}:
        path.write_text(only_used(path.read_text("utf-8"), words), "utf-8")
    wanted = set().union(*(letters(path.read_text("utf-8")) for path in static.rglob("*.css")))
    for font in (theme / FONTS).glob("*.ttf"):
        subset(font, wanted, static / FONTS / f"{font.stem}.woff")


def setup(app) -> None:
    """Register the pass over the theme's files."""
    app.connect("build-finished", _keep_the_few, priority=800)
