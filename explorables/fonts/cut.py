"""Cut the book's faces from their sources again: ``python explorables/fonts/cut.py SOURCES``.

`SOURCES` is a folder with these files, unpacked from npm's ``source-sans`` 3.52.0 and
``source-serif`` 4.5.1 and from Debian's ``fonts-noto-core`` and ``fonts-lmodern``:

- ``SourceSans3VF-Upright.ttf``, ``SourceSans3VF-Italic.ttf``
- ``SourceSerif4Variable-Roman.ttf``, ``SourceSerif4Variable-Italic.ttf``
- ``NotoSansMath-Regular.ttf``, ``NotoSansSymbols2-Regular.ttf``
- ``latinmodern-math.otf``
- ``KaTeX_Main-Regular.woff2`` and KaTeX's other faces of the folder ``static/katex/fonts``, from
  npm's ``katex``

It needs ``fonttools[woff]``.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

HERE = Path(__file__).parent
TEXT = HERE.parents[1] / "press/static/text"
KATEX = TEXT.parent / "katex/fonts"
LATIN = "20-7E A0-FF 131 177 2013 2014 2016 2018-201A 201C-201E 2020-2022 2026 2032 2033 2212"
NAMES = (
    "106 107 10C 10D 119 11B 11E 11F 141 142 144 148 150 151 158-15B 15E-161 16F-171 17A 17C-17E"
)
GREEK = "391-3A1 3A3-3A9 3B1-3C9"
# Superscripts, subscripts, arrows and operators; a face gets those that its source has.
SIGNS = "2070 2071 2074-208E 2190-2199 2200-22FF"
# The rest of what figures and plots show, such as the marks in texts and tables.
MARKS = "302-304 3D1 3D5 1D40 1D4F 1D57 1E21 21D0 21D2 25A0-25FF 2713 2717"
# What Source Sans lacks, from Noto, with one weight for all: ↵ ⇥ ∇ ∖ ∼ ⊤ ⊳ ⋯ ⌈ ⌉, and ⏎ ␍ ␣.
MATH, SYMBOLS = "21B5 21E5 2207 2216 223C 22A4 22B3 22EF 2308 2309", "23CE 240D 2423"
# Source Serif has these superscripts without their code points: − and T.
UNNAMED = {0x207B: "endash.sups", 0x1D40: "T.sups"}
# The height of a line of the sans, in thousandths of an em.
ASCENT, DESCENT = 950, 250
# Letters of formulas: those of figures' MathML, and upright and italic ones.
FORMULAS = (
    "20 28 29 2B-2D 30-39 3D 41-5A 61-7A 7C 7E 2C6 2026 2061 2202 2207 2211 2212 22A4 22EF 210E "
    "1D43F 1D445 1D448-1D44A 1D44E-1D467 1D47C-1D47E 1D482-1D484 1D489 1D490 1D492 1D499 1D49A "
    "1D6FC-1D70F 1D7CF"
)
ITALICS = "20 28 29 2B-2E 30-39 3D 41-5A 61-7A 3B1-3C9 302 303 2032 2202 2212"

# The same for the pages' formulas, without Greek in bold.
SYMBOLIC = (
    "A8 AF B0-B4 B7 D7 F7 2C6 2C7 2C9-2CB 2D8-2DA 2DC 302-30C 338 2013 2014 2018 2019 201C 201D "
    "2020 2026 2032 210E 2113 2190-2194 21A6 21D0-21D4 2200-2212 2217 2218 221A 221D 221E 2223 "
    "2225 2227-222B 223C 2243 2248 2260 2261 2264 2265 226A 226B 2282-2287 2295-2299 22A4 22A5 "
    "22C5 22EE-22F1 2308-230B 239B-23AE 27E8 27E9 27F5-27FA"
)
ROMAN, GREEK_TOO = "20-7E A0 131 237", f"{GREEK} 3D1-3D6 3F1 3F5"


def codes(parts):
    """Return the code points of ranges such as ``20-7E A0``."""
    ends = [[int(end, 16) for end in part.split("-")] for part in parts.split()]
    return {code for first, *last in ends for code in range(first, (last or [first])[0] + 1)}


def ranges(letters):
    """Return code points as a ``unicode-range``."""
    ends = []
    for code in sorted(letters):
        if ends and code == ends[-1][1] + 1:
            ends[-1][1] = code
        else:
            ends.append([code, code])
    return ", ".join(f"U+{a:X}" if a == b else f"U+{a:X}-{b:X}" for a, b in ends)


def name_letters(font, letters):
    """Give glyphs code points."""
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap.update(letters)


def add_glyphs(font, source, wanted):
    """Copy glyphs of another face, which stay the same for all weights."""
    glyphs, names = source.getGlyphSet(), source.getBestCmap()
    order = font.getGlyphOrder()
    for code in sorted(wanted):
        pen = TTGlyphPen(None)
        glyphs[names[code]].draw(pen)
        name = f"uni{code:04X}"
        order.append(name)
        font["glyf"][name] = pen.glyph()
        font["glyf"][name].recalcBounds(font["glyf"])
        width = source["hmtx"][names[code]][0]
        font["hmtx"][name] = width, font["glyf"][name].xMin
        name_letters(font, {code: name})
    font.setGlyphOrder(order)
    font["maxp"].numGlyphs = len(order)


def set_height(font):
    """Give a sans face the same height of lines on every system."""
    line, windows = font["hhea"], font["OS/2"]
    line.ascent = windows.sTypoAscender = windows.usWinAscent = ASCENT
    line.descent = windows.sTypoDescender = -DESCENT
    windows.usWinDescent = DESCENT
    line.lineGap = windows.sTypoLineGap = 0
    # Heights don't change with the weight. How widths do, gvar says too, and for the added glyphs.
    for tag in {"HVAR", "MVAR"} & {*font.keys()}:
        del font[tag]


def cut(font, wanted, target, features="kern"):
    """Write a font of these letters alone, without a name."""
    if "STAT" in font:
        del font["STAT"]  # names of styles
    if "fvar" in font:
        font["fvar"].instances = []
    if "gvar" in font:
        known = font["gvar"].variations
        font["gvar"].variations = {name: known.get(name, []) for name in font.getGlyphOrder()}
    options = subset.Options(
        flavor=target.suffix[1:],
        layout_features=features.split(","),
        hinting=False,
        obfuscate_names=True,
        desubroutinize=True,
        notdef_outline=True,
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=wanted & font.getBestCmap().keys())
    subsetter.subset(font)
    subset.save_font(font, target, options)
    print(f"{target.name}: {target.stat().st_size:,} bytes; {ranges(font.getBestCmap())}")


def cut_formulas(sources):
    """Write KaTeX's faces. KaTeX knows the sizes of letters itself, so nothing else is needed."""
    for target in sorted(KATEX.glob("*.woff2")):
        wanted = ROMAN if "Bold" in target.stem else f"{ROMAN} {GREEK_TOO}"
        if "BoldItalic" not in target.stem:
            wanted += f" {SYMBOLIC}"
        cut(TTFont(sources / target.name, recalcTimestamp=False), codes(wanted), target)


def main(sources):
    """Write the four files of the figures, the four of the text, and those of formulas."""

    def load(name, **axes):
        font = TTFont(sources / name, recalcTimestamp=False)
        return instancer.instantiateVariableFont(font, axes) if axes else font

    math, symbols = load("NotoSansMath-Regular.ttf"), load("NotoSansSymbols2-Regular.ttf")
    common = codes(f"{LATIN} {NAMES} {GREEK} {SIGNS} {MARKS}")
    sans = load("SourceSans3VF-Upright.ttf", wght=(400, 700))
    add_glyphs(sans, math, codes(MATH))
    add_glyphs(sans, symbols, codes(SYMBOLS))
    set_height(sans)
    cut(sans, common | codes(f"{MATH} {SYMBOLS}"), HERE / "sans.woff2")
    italic = load("SourceSans3VF-Italic.ttf", wght=400)
    set_height(italic)
    cut(
        italic,
        codes(f"{LATIN} {GREEK} 302-304 1E21 2070 2074-2089"),
        HERE / "sans-italic.woff2",
        "",
    )

    cut(load("latinmodern-math.otf"), codes(FORMULAS), HERE / "math.woff2", "")
    letters = load("latinmodern-math.otf")
    del letters["MATH"]
    known = letters.getBestCmap()
    slanted = {ord("A") + i: known[0x1D434 + i] for i in range(26)}
    slanted |= {ord("a") + i: known.get(0x1D44E + i, known[0x210E]) for i in range(26)}
    slanted |= {0x3B1 + i: known[0x1D6FC + i] for i in range(25)}
    name_letters(letters, slanted)
    cut(letters, codes(ITALICS), HERE / "math-italic.woff2", "")

    for style, slope, weights in (
        ("Roman", "", (400, 700)),
        ("Italic", "-italic", 400),
    ):
        for part, wanted in (
            ("", codes(f"{LATIN} {SIGNS} {MARKS}")),
            ("-greek", codes(GREEK)),
            ("-names", codes(NAMES)),
        ):
            if slope and part:
                continue
            serif = load(f"SourceSerif4Variable-{style}.ttf", wght=weights, opsz=14)
            known = {*serif.getGlyphOrder()}
            name_letters(serif, {code: name for code, name in UNNAMED.items() if name in known})
            cut(serif, wanted, TEXT / f"serif{slope}{part}.woff2", "kern,liga")
    cut_formulas(sources)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
