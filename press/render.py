"""The contents of a slide as HTML: Markdown with KaTeX, and the outputs of the chapter's cells.

And the templates of the pages that are not Sphinx's.
"""

import html
import re
from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from press.deck import CUES
from press.equations import TAG
from press.katex import render as katex
from press.renderers import CLAIM, FIGURE, LAB, PLOT, figure_markup, told

TEMPLATES = Path(__file__).parent / "templates"
# The answers that a note expects, in quotation marks, up to the end of their sentence.
WRONG = re.compile(
    r"^(Expect: [^\n]*?\"[^\n\"]*\"(?:[^.\n\"]*\"[^\n\"]*\")*[^.\n\"]*\.)[ \t]+", re.M
)


@cache
def _markdown() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"typographer": True, "highlight": _highlight}).enable(
        ["table", "smartquotes"]
    )
    md.use(dollarmath_plugin, allow_labels=False, double_inline=True)
    md.use(attrs_plugin, spans=True)
    md.use(attrs_block_plugin)
    md.core.ruler.push("fragments", _list_items_apart)
    md.add_render_rule("math_inline", _math)
    md.add_render_rule("math_inline_double", _math)
    md.add_render_rule("math_block", _math)
    return md


def _highlight(code: str, language: str, attributes: str) -> str:
    lexer = get_lexer_by_name(language or "text")
    return f'<pre class="highlight">{highlight(code, lexer, HtmlFormatter(nowrap=True))}</pre>'


def _list_items_apart(state: StateCore) -> None:
    level = None
    for token in state.tokens:
        if token.type.endswith("_list_open") and token.attrGet("class") == "fragments":
            token.attrs.pop("class")
            level = token.level + 1
        elif token.type == "list_item_open" and token.level == level:
            token.attrJoin("class", "fragment")
        elif token.type.endswith("_list_close") and token.level + 1 == level:
            level = None


def _math(renderer, tokens, k, options, env) -> str:
    token = tokens[k]
    if token.type == "math_inline":
        return katex(token.content)
    tag = TAG.search(token.content)
    number = f'<span class="number">({tag[1]})</span>' if tag else ""
    classes = f"math-display {token.attrGet('class') or ''}".strip()
    return f'<div class="{classes}">{katex(TAG.sub("", token.content), display=True)}{number}</div>'


def markdown(text: str) -> str:
    """Set Markdown as HTML, its formulas by KaTeX.

    Parameters
    ----------
    text
        Plain Markdown with the attributes of `press.deck`.

    Returns
    -------
    str
        HTML that needs no script.

    Raises
    ------
    ValueError
        If a formula cannot be set.
    """
    # The empty corner of a table heads nothing.
    return _markdown().render(text).replace("<th></th>", "<td></td>")


def inline(text: str) -> str:
    """Set one line of Markdown as HTML, without a paragraph around it."""
    return _markdown().renderInline(text)


def mathml(text: str) -> str:
    """Set one line of Markdown as HTML that needs no style sheet: its formulas as MathML alone."""
    soup = BeautifulSoup(inline(text), "html.parser")
    for drawn in soup.select(".katex-html"):
        drawn.decompose()
    return str(soup)


def notes(text: str) -> str:
    """Set a slide's notes as HTML: the cue of each paragraph in bold, wrong answers apart."""
    text = WRONG.sub(r"\1\n\n→ ", text)
    return markdown(re.sub(rf"^({'|'.join(CUES)}):", r"**\1:**", text, flags=re.M))


def output(output: NotebookNode) -> str:
    """Set an output of a cell as HTML, in the richest form a slide can show.

    Parameters
    ----------
    output
        An output as the notebook format has it.

    Returns
    -------
    str
        HTML; empty for standard error, which isn't shown.
    """
    if output.output_type == "stream":
        return _text(output.text) if output.name == "stdout" else ""
    data = output.get("data", {})
    if FIGURE in data:
        return figure_markup(data[FIGURE], "slide")
    for kind in (LAB, PLOT):
        if kind in data:
            return _plot(data[kind])
    if CLAIM in data:
        return _claim(data[CLAIM])
    if "text/html" in data:
        return f'<div class="result">{data["text/html"]}</div>'
    if "image/png" in data:
        alt = html.escape(data.get("text/plain", ""))
        return (
            f'<p class="plot"><img src="data:image/png;base64,{data["image/png"]}" alt="{alt}"></p>'
        )
    return _text(data.get("text/plain", ""))


def _claim(bundle: dict) -> str:
    """Give the figure alone, because a slide asks before it answers.

    If the figure asks, a step follows it, with which `deck.js` shows the result.
    """
    if figure := bundle["figure"]:
        step = '<span class="fragment tells"></span>' if figure["state"]["ask"] else ""
        return figure_markup(told(figure, "slide"), "slide") + step
    return _plot(bundle["plot"]) if bundle["plot"] else ""


def _text(text: str) -> str:
    return f'<pre class="result">{html.escape(text.rstrip())}</pre>' if text.strip() else ""


def _plot(bundle: dict) -> str:
    images = "".join(
        f'<img class="only-{theme}" src="data:image/png;base64,{bundle[theme]}" '
        f'alt="{html.escape(bundle["alt"])}" '
        f'width="{bundle["width"]}" height="{bundle["height"]}" '
        f'data-smallest="{bundle["smallest"]}">'
        for theme in ("light", "dark")
    )
    return f'<p class="plot">{images}</p>'


@cache
def template(name: str) -> Template:
    """Read the template of a page that is not Sphinx's."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"notes": notes, "mathml": mathml}
    return environment.get_template(name)
