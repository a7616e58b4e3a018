"""MyST to plain Markdown: directives and roles become text that any notebook viewer shows.

JupyterLab and Colab know neither the directive ``{note}`` nor the role ``{ref}``; `flatten` turns
each into the plain Markdown closest to it, and refuses a directive it has no plain form for.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from textwrap import dedent, indent
from typing import NamedTuple

from press.directives import find_object
from press.equations import tagged

FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|:{3,}|~{3,})[ \t]*(?P<info>[^`]*?)[ \t]*$")
DIRECTIVE = re.compile(r"^\{(?P<name>[\w:-]+)\}[ \t]*(?P<argument>.*)$")
OPTION = re.compile(r"^:(?P<key>[\w-]+):[ \t]*(?P<value>.*)$")
LABEL = re.compile(r"^\((?P<label>[^()\s]+)\)=$")

INLINE = re.compile(
    r"\{(?P<role>[a-z][\w:-]*)\}(?P<tick>`+)(?P<content>.+?)(?<!`)(?P=tick)(?!`)"
    r"|(?P<code>(?P<ticks>`+)(?:.+?)(?<!`)(?P=ticks)(?!`))"
    r"|(?P<display>\$\$.+?\$\$)(?:[ \t]*\([\w.:-]+\)(?=\s|$))?"
    r"|(?P<math>(?<![\\$])\$(?!\s)[^$\n]+?\$)"
    r"|<a href=\"(?P<address>[^\"]*)\">(?P<words>.*?)</a>"
    r"|<span data-(?:set|number)=\"[^\"]*\">(?P<span>.*?)</span>"
    r"|(?<!!)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)\)",
    re.DOTALL,
)

BOUND = re.compile(r'<span data-number="[^"]*">(.*?)</span>')  # names the source of a number

TITLES = {
    "attention": "Attention",
    "caution": "Caution",
    "danger": "Danger",
    "epigraph": "",
    "error": "Error",
    "hint": "Hint",
    "important": "Important",
    "margin": "",
    "note": "Note",
    "seealso": "See also",
    "sidebar": "",
    "tip": "Tip",
    "warning": "Warning",
}
TITLED = {"admonition", "card", "grid-item-card", "margin", "sidebar", "tab-item", "topic"}
WRAPPERS = {"div", "grid", "grid-item", "tab-set"}
DROPPED = {"bibliography", "contents", "raw", "tableofcontents", "toctree"}
LITERAL = {"code", "code-block", "code-cell", "sourcecode"}


@dataclass(frozen=True)
class Context:
    """The settings under which a text is flattened.

    Parameters
    ----------
    titles
        The title of each label, which a reference without its own words shows.
    cite
        The words for a citation: its key and whether it is part of the sentence.
    link
        The words for a link: its text and its target.
    solutions
        Whether solutions stay.
    """

    titles: Mapping[str, str] = field(default_factory=dict)
    cite: Callable[[str, bool], str] = lambda key, textual: key
    link: Callable[[str, str], str] = lambda text, target: text
    solutions: bool = True


class Block(NamedTuple):
    """A fenced block: its indent, directive ('' for code), argument, options and lines."""

    indent: str
    name: str
    argument: str
    options: dict[str, str]
    body: list[str]
    source: list[str]

    @property
    def is_solution(self) -> bool:
        """Whether the block is for teachers alone: a solution, or a box of the class `solution`."""
        classes = self.options.get("class", "").split()
        return self.name in {"solution", "solution-start"} or "solution" in classes


def blocks(text: str) -> list[str | Block]:
    """Split Markdown into runs of text and fenced blocks, in order.

    Parameters
    ----------
    text
        MyST Markdown.

    Returns
    -------
    list of str or Block
        Runs of text, and the outermost fenced blocks between them.

    Raises
    ------
    ValueError
        If a fence is never closed.
    """
    lines, pieces, run, k = text.splitlines(), [], [], 0
    while k < len(lines):
        fence = FENCE.match(lines[k])
        if not fence or (fence["mark"][0] == ":" and not DIRECTIVE.match(fence["info"])):
            run.append(lines[k])
            k += 1
            continue
        closing = re.compile(rf"^[ \t]*{fence['mark'][0]}{{{len(fence['mark'])},}}[ \t]*$")
        end = next((j for j in range(k + 1, len(lines)) if closing.match(lines[j])), None)
        if end is None:
            raise ValueError(f"a fence is never closed: {lines[k].strip()!r}")
        if run:
            pieces.append("\n".join(run))
            run = []
        margin = len(fence["indent"])
        body = [line[margin:] if not line[:margin].strip() else line for line in lines[k + 1 : end]]
        pieces.append(_block(fence["indent"], fence["info"], body, lines[k : end + 1]))
        k = end + 1
    if run:
        pieces.append("\n".join(run))
    return pieces


def _block(indent: str, info: str, body: list[str], source: list[str]) -> Block:
    directive = DIRECTIVE.match(info)
    if not directive:
        return Block(indent, "", info, {}, body, source)
    options = {}
    while body and (option := OPTION.match(body[0])):
        options[option["key"]] = option["value"]
        body = body[1:]
    return Block(indent, directive["name"], directive["argument"], options, body, source)


def labels(text: str) -> dict[str, str]:
    """Give the title of each label a text defines: of its headings and of its exercises.

    Parameters
    ----------
    text
        MyST Markdown.

    Returns
    -------
    dict of str to str
        Titles by label.
    """
    titles, waiting = {}, []
    for piece in blocks(text):
        if isinstance(piece, Block):
            if label := piece.options.get("label"):
                titles[label] = piece.argument or piece.name
            continue
        for line in piece.splitlines():
            if label := LABEL.match(line):
                waiting.append(label["label"])
            elif line.startswith("#"):
                titles |= dict.fromkeys(waiting, line.lstrip("# "))
                waiting = []
    return titles


def flatten(text: str, context: Context | None = None) -> str:
    """Turn MyST Markdown into plain Markdown.

    Parameters
    ----------
    text
        The source of a Markdown cell or page.
    context
        Replacements for references, citations and links, and whether solutions stay.

    Returns
    -------
    str
        Plain Markdown: code and formulas as they were, directives as quotes, bold lines or folded
        details, roles and internal links as words.

    Raises
    ------
    ValueError
        If a directive or role has no plain form, naming it.
    """
    context = context or Context()
    text = re.sub(r"\n{3,}", "\n\n", _flatten(text, context)).strip("\n")
    # A heading that already says what the exercise is called.
    return re.sub(r"^(#+ (.+)\n+)\*\*Exercise\.\*\* \2\n+", r"\1", text, flags=re.M)


def _flatten(text: str, context: Context) -> str:
    parts = []
    for piece in blocks(text):
        if isinstance(piece, Block):
            parts.append(indent(_directive(piece, context), piece.indent))
        else:
            parts.append(_text(piece, context))
    return "\n".join(parts)


def _text(text: str, context: Context) -> str:
    kept = (
        line
        for line in text.splitlines()
        if not LABEL.match(line) and not line.startswith("% ") and line.strip() != "+++"
    )
    return INLINE.sub(partial(_inline, context=context), "\n".join(kept))


def _inline(match: re.Match, context: Context) -> str:
    if match["role"]:
        return _role(match["role"], match["content"], context)
    if match["display"]:
        return match["display"]
    if match["span"] is not None:
        return _text(match["span"], context)
    if match["words"] is not None:
        return _link(_text(match["words"], context), match["address"], context)
    if match["text"] is not None:
        return _link(_text(match["text"], context), match["target"], context)
    return match[0]


def _link(text: str, target: str, context: Context) -> str:
    if re.match(r"[a-z]+://|mailto:", target):
        return f"[{text}]({target})"
    return context.link(text, target)


def _role(role: str, content: str, context: Context) -> str:
    titled = re.fullmatch(r"(?P<text>.*?)\s*<(?P<target>[^<>]+)>", content, re.DOTALL)
    words = titled["text"] if titled else None
    target = titled["target"] if titled else content
    if role == "math":
        return f"${content}$"
    if role in {"cite", "cite:p", "cite:t", "cite:ps", "cite:ts"}:
        keys = [key.strip() for key in content.split(",")]
        textual = role.startswith("cite:t")
        cited = "; ".join(context.cite(key, textual) for key in keys)
        return cited if textual else f"({cited})"
    if role == "eq":
        return words or f"({tagged(target.removeprefix('eq-'))})"
    if role in {"ref", "numref", "doc", "prf:ref", "term", "exercise"}:
        return _text(words or context.titles.get(target, target), context)
    if role in {"sub", "sup"}:
        return f"<{role}>{content}</{role}>"
    if role in {"code", "literal"} or role.startswith("py:"):
        return f"`{content.removeprefix('~')}`"
    if role in {"abbr", "dfn", "kbd"}:
        return re.sub(r"\s*\(.*\)$", "", content)
    if role == "download":
        return words or target
    raise ValueError(f"the role {role!r} has no plain form (add it to press/flatten.py)")


def _directive(block: Block, context: Context) -> str:
    name, options = block.name, block.options
    if not name:
        return dedent("\n".join(block.source))
    if name in DROPPED or name in {"exercise-end", "solution-end"}:
        return ""
    if block.is_solution and not context.solutions:
        return ""
    if name in LITERAL:
        return "\n".join([f"```{block.argument}", *block.body, "```"])
    if name == "math":
        return "\n".join(["$$", *block.body, "$$"])
    if name == "source":
        return "\n".join(map(_source, " ".join([block.argument, *block.body]).split()))
    body = _flatten("\n".join(block.body), context).strip("\n")
    if name in WRAPPERS:
        return f"\n{body}\n"
    if name in {"figure", "image"}:
        caption = f"\n\n*{body}*" if body else ""
        return f"\n![{options.get('alt', '')}]({block.argument}){caption}\n"
    if name in {"exercise", "exercise-start"}:
        return f"\n{body}\n"  # the heading above names the exercise
    if name in {"solution", "solution-start"}:
        return f"\n**Solution**\n\n{body}\n"
    if name not in TITLES and name not in TITLED and name != "dropdown":
        raise ValueError(f"the directive {name!r} has no plain form (add it to press/flatten.py)")
    title = _text(block.argument if name in TITLED or name == "dropdown" else "", context)
    if block.argument and not title:  # `{note} these words`: they belong to the body
        body = f"{_text(block.argument, context)}\n{body}".strip("\n")
    title = title or TITLES.get(name, "")
    if name == "dropdown" or "dropdown" in options.get("class", ""):
        return f"\n<details><summary>{title or 'More'}</summary>\n\n{body}\n\n</details>\n"
    return "\n" + quote(body, title) + "\n"


def _source(name: str) -> str:
    function = find_object(name)
    code = inspect.getsource(function).rstrip()
    summary = f"Read <code>{function.__name__}</code>"
    return f"\n<details><summary>{summary}</summary>\n\n```python\n{code}\n```\n\n</details>\n"


def quote(body: str, title: str = "") -> str:
    """Set Markdown as a block quote under a bold title.

    Parameters
    ----------
    body
        Markdown.
    title
        Set in bold above it, where given.

    Returns
    -------
    str
        The quote.
    """
    lines = ([f"**{title}**", ""] if title else []) + body.splitlines()
    return "\n".join(f"> {line}".rstrip() for line in lines)
