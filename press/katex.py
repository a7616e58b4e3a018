"""Math, set by KaTeX while the book is built.

KaTeX runs in V8 (the package ``mini-racer``), so a page carries finished MathML and HTML: no math
script is loaded, nothing moves while the page opens, and formulas are there without JavaScript.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from press.engine import engine
from press.internals import add_permalink

ENGINE = Path(__file__).parent / "vendor" / "katex.min.js"  # build time only, never on a page
CSS = "katex/katex.min.css"  # below static/
BOX = '<span class="katex-base">'
# Formulas are a large part of a page, and HTML doesn't need quotes around a word. Names that our
# code looks for keep their quotes.
QUOTED = re.compile(r'="(?!katex|true)([\w-]+)"(?=[ >])')
LENGTH = re.compile(r"(?<=:)(-?)(\d*\.\d+)(?=em)")
# A translation leaves formulas alone, and text from right to left doesn't mirror them.
SET = '<span class="katex" dir="ltr" translate="no">'
FOLLOWS = re.compile(r"[.,;:!?)\]’”…]+")


@cache
def render(tex: str, display: bool = False) -> str:
    r"""Set a formula as HTML with embedded MathML.

    Parameters
    ----------
    tex : str
        The formula, without dollar signs. Lines split by ``\\`` outside of any environment are
        aligned at their ``&``.
    display : bool
        Whether the formula has a line to itself.

    Returns
    -------
    str
        HTML that needs `CSS` and no script.

    Raises
    ------
    ValueError
        If KaTeX does not understand the formula; the message quotes it.
    """
    from py_mini_racer import JSEvalException

    source = tex.strip()
    if r"\\" in source and r"\begin" not in source:
        source = rf"\begin{{aligned}}{source}\end{{aligned}}"
    try:
        formula = engine(ENGINE).call("katex.renderToString", source, {"displayMode": display})
    except JSEvalException as error:
        reason = str(error).splitlines()[0].partition("ParseError: ")[2]
        raise ValueError(f"tex={tex!r} cannot be set: {reason}") from None
    return _shorter(formula).replace('<span class="katex">', SET)


def _shorter(formula: str) -> str:
    """Write the same formula in fewer characters, with lengths rounded to 0.01 em."""

    def length(found):
        return found[1] + (f"{float(found[2]):.2f}".strip("0").removesuffix(".") or "0")

    return QUOTED.sub(r"=\1", LENGTH.sub(length, formula).replace('em;"', 'em"'))


def keep(formula: str, after: str) -> str:
    """Keep the punctuation after an inline formula on the formula's last line.

    A browser may begin a line after any box, even with a full stop. KaTeX makes one box for each
    part of a formula after which a line may break; the last box is tied to the punctuation.

    Parameters
    ----------
    formula : str
        Result of `render` for an inline formula.
    after : str
        The punctuation, as HTML.

    Returns
    -------
    str
        The formula and the punctuation, as HTML.
    """
    many, last = formula.count(BOX), formula.rfind(BOX)
    if not after:
        return formula
    if many < 2:
        return f'<span class="kept">{formula}{after}</span>'
    again = f'{SET}<span class="katex-html" aria-hidden="true">'
    return f'{formula[:last]}</span></span><span class="kept">{again}{formula[last:]}{after}</span>'


def _html(translator, node: nodes.Element, display: bool) -> str:
    from sphinx.util import logging

    try:
        return render(node.astext(), display)
    except ValueError as error:
        logging.getLogger(__name__).warning(str(error), location=node)
        return f"<code>{translator.encode(node.astext())}</code>"


def visit_math(translator, node: nodes.math) -> None:
    """Write an inline formula."""
    translator.body.append(
        translator.starttag(node, "span", "", CLASS="math")
        + keep(_html(translator, node, display=False), translator.encode(node.get("after", "")))
        + "</span>"
    )
    raise nodes.SkipNode


def visit_math_block(translator, node: nodes.math_block) -> None:
    """Write a displayed formula, its number at the right."""
    translator.body.append(
        translator.starttag(node, "div", CLASS="math") + _html(translator, node, display=True)
    )
    if node.get("number"):
        translator.body.append(f'<span class="eqno">({node["number"]})')
        add_permalink(translator, node, f"Link to equation {node['number']}")
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


class TakePunctuation(SphinxPostTransform):
    """Give each inline formula the punctuation that follows it, for `keep`."""

    default_priority = 200
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Move the punctuation from the text after a formula to the formula's ``after``."""
        for math in list(self.document.findall(nodes.math)):
            text = math.next_node(descend=False, siblings=True)
            found = isinstance(text, nodes.Text) and FOLLOWS.match(text)
            if found:
                math["after"] = found[0]
                parent = text.parent
                # Equal texts are equal nodes, so `replace` might take an earlier one.
                place = next(i for i, child in enumerate(parent) if child is text)
                parent[place] = nodes.Text(text[found.end() :])


def setup(app) -> None:
    """Register the renderer under the name ``unfolded`` (setting ``html_math_renderer``)."""
    app.add_html_math_renderer("unfolded", (visit_math, None), (visit_math_block, None))
    app.add_post_transform(TakePunctuation)
    app.add_css_file(CSS)
