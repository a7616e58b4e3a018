"""All visible text uses American spelling."""

import io
import json
import re
import tokenize

import pytest
from books import BOOK, DECKS, ENTRIES, NOTEBOOKS, PAGES, words

from rnn_helpers.checks import exercises
from rnn_helpers.explore import manifest

ROOT = BOOK.parent
# Names in code, of which many are promised, still have British spellings.
BRITISH = re.compile(
    r"(?i)(?<![\w.(=`/\"-])\w*(?:"
    r"(?:initial|normal|optim|general|regular|summar|organ|minim|maxim|serial|standard)is(?!m|t|h)"
    r"|recognis|colour|behaviour|neighbour|favour|judgement|labell|modell|analyse[ds]?\b|practis"
    r"|\bgrey|\bcentre"
    r")\w*(?![\w(=`/\"])"
)
CODE = re.compile(r"``[^`]*``|`[^`]*`|^\s+[\w, ]+ : .*$", re.M)
TEXTS = [*NOTEBOOKS, *PAGES, *ENTRIES, *DECKS, *sorted(ROOT.glob("*.md"))]
FOLDERS = "rnn_helpers", "press", "tests"
MODULES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def british(text):
    """Return the British spellings in a text, without those in code."""
    return BRITISH.findall(CODE.sub("", text))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_text_is_american(path):
    assert british(words(path)) == []


@pytest.mark.parametrize("name", sorted(manifest()))
def test_the_words_of_a_figure_are_american(name):
    assert british(json.dumps(manifest()[name], ensure_ascii=False)) == []


def test_hints_and_praise_are_american():
    told = [
        " ".join([entry.success, *(wrong.hint for wrong in entry.wrong.values())])
        for entry in exercises().values()
    ]
    assert british("\n".join(told)) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_comments_and_docstrings_are_american(path):
    tokens = list(tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline))
    starts = {tokenize.INDENT, tokenize.NEWLINE, tokenize.NL, tokenize.ENCODING, tokenize.DEDENT}
    read = [
        token.string
        for before, token in zip([None, *tokens], tokens, strict=False)
        if token.type == tokenize.COMMENT
        or (token.type == tokenize.STRING and (before is None or before.type in starts))
    ]
    assert british("\n".join(read)) == []
