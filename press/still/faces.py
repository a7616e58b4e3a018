"""The faces of a picture, cut down to its letters.

They are inside the picture, because an SVG file can't load anything.
"""

import base64
import io
import re
import string
from functools import cache
from xml.etree import ElementTree

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from rnn_helpers.explore.states import static_file

# A font's sheet, its style there, its weight, and its descriptors in a picture. One weight of a
# variable font is half as large as all.
FONTS = {
    "plain": ("sans.css", "", 400, "font-family:Unfolded Sans;font-weight:400 500"),
    "bold": ("sans.css", "", 600, "font-family:Unfolded Sans;font-weight:600 700"),
    "italic": ("sans.css", "italic", None, "font-family:Unfolded Sans;font-style:italic"),
    "formula": ("figures.css", "", None, "font-family:Unfolded Math"),
    "symbol": ("figures.css", "italic", None, "font-family:Unfolded Math;font-style:italic"),
}
SETS = {
    "bold": re.compile("font-weight:([5-9]|bold)|font:[6-9]"),
    "italic": re.compile("font-style:italic|font:italic"),
    "formula": re.compile(r"var\(--uf-math\)"),
}
BY_NAME = {"bold": {"b", "strong", "th"}, "italic": {"em", "i"}, "formula": {"math"}}
INSTEAD = {"formula": "plain", "symbol": "italic"}  # the faces for letters that the former lack
FACE = re.compile(r"@font-face\{([^}]*)url\(data:font/woff2;base64,([^)]+)\)[^}]*\}")
WORDS = re.compile(r'content:"((?:[^"\\]|\\.)*)"')
# In a formula, a browser sets a single letter as the mathematical italic one.
SLANTED = {letter: chr(0x1D434 + i) for i, letter in enumerate(string.ascii_uppercase)}
SLANTED |= {letter: chr(0x1D44E + i) for i, letter in enumerate(string.ascii_lowercase)}
SLANTED |= {"h": "ℎ"} | {chr(0x3B1 + i): chr(0x1D6FC + i) for i in range(25)}


def faces(markup, rules):
    """Return the rules for the faces of a picture.

    Parameters
    ----------
    markup : str
        The picture's HTML, which is XML, too.
    rules : list of (str, str)
        The selectors and the declarations of its other rules.

    Returns
    -------
    str
        CSS. Each font has the letters that the picture shows in it, and few others.
    """
    styled = [
        (style, compound)
        for selectors, block in rules
        for style, pattern in SETS.items()
        if pattern.search(block)
        for compound in _last(selectors)
    ]
    letters = {font: set() for font in FONTS}
    for font in ("plain", "bold"):
        letters[font].update(*(WORDS.findall(block) for _, block in rules))
    _collect(ElementTree.fromstring(markup), frozenset(), styled, letters)
    letters["formula"] |= {SLANTED[letter] for letter in letters["formula"] & SLANTED.keys()}
    for font, other in INSTEAD.items():
        letters[other] |= letters[font] - _letters(*FONTS[font][:3])
    return "".join(_rule(font, frozenset(found)) for font, found in letters.items() if found)


def _last(selectors):
    """Yield the name, the classes and the attributes of the elements that selectors mean."""
    for selector in re.sub(r":not\([^()]*\)", "", selectors).split(","):
        for part in re.split(r":(?:is|where)\(|\)", selector.strip()):
            compound = re.split(r"[ >+~]", part)[-1]  # empty for an ancestor, as before " :is("
            name = re.match(r"[a-z]\w*", compound)
            if compound:
                attributes = re.findall(r"\[([\w-]+)=\"?([^\"\]]*)", compound)
                yield name and name[0], {*re.findall(r"\.([\w-]+)", compound)}, {*attributes}


def _collect(node, inherited, styled, letters):
    name, classes = node.tag.rpartition("}")[2], {*node.get("class", "").split()}
    styles = inherited | {style for style, names in BY_NAME.items() if name in names}
    styles |= {
        style
        for style, (tag, own, attributes) in styled
        if tag in (None, name) and own <= classes and attributes <= {*node.items()}
    }
    given = ";".join(f"{key}:{value}" for key, value in node.items())
    styles |= {style for style, pattern in SETS.items() if pattern.search(given)}
    if "formula" in styles:
        fonts = {"formula"} | ({"symbol"} if "italic" in styles else set())
    else:
        fonts = styles & {"bold", "italic"} | {"plain"}  # a style may take the bold back
    for font in fonts:
        letters[font].update(node.text or "", *(child.tail or "" for child in node))
    for child in node:
        _collect(child, styles, styled, letters)


def _rule(font, letters):
    *source, descriptors = FONTS[font]
    data = _cut(*source, letters)
    return f"@font-face{{{descriptors};src:url(data:font/woff2;base64,{data})}}"


@cache
def _source(sheet, style, weight):
    """Return a font of a style sheet, in one weight."""
    found = FACE.findall(static_file(sheet).read_text("utf-8"))
    data = next(data for start, data in found if ("italic" in start) == bool(style))
    font = TTFont(io.BytesIO(base64.b64decode(data)), recalcTimestamp=False)
    if weight:
        instancer.instantiateVariableFont(font, {"wght": weight}, inplace=True)
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


@cache
def _letters(sheet, style, weight):
    return {*map(chr, TTFont(io.BytesIO(_source(sheet, style, weight))).getBestCmap())}


@cache
def _cut(sheet, style, weight, letters):
    options = subset.Options(flavor="woff2", notdef_outline=True, layout_features=[], name_IDs=[])
    options.drop_tables += ["BASE", "GDEF", "GPOS", "GSUB", "STAT"]
    font = TTFont(io.BytesIO(_source(sheet, style, weight)), recalcTimestamp=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(letters))
    subsetter.subset(font)
    file = io.BytesIO()
    subset.save_font(font, file, options)
    return base64.b64encode(file.getvalue()).decode()
