"""The first use of each term becomes a link, in the running text and nowhere else."""

from itertools import pairwise

import pytest
from docutils import nodes
from docutils.utils import new_document
from hypothesis import given
from hypothesis import strategies as st

from press.glossary import Finder, link_first_uses

ENTRIES = [
    {"term": "gate", "meaning": "A number.", "section": "sec-gate"},
    {"term": "forget gate", "meaning": "A gate.", "section": "sec-gate"},
    {"term": "LSTM", "also": ["memory cell"], "meaning": "A network.", "section": "sec-lstm"},
    {"term": "key", "meaning": "A vector.", "section": "sec-key", "link": False},
    {"term": "adam", "elsewhere": ["rate"], "meaning": "A method.", "section": "sec-adam"},
    {"term": "memory capacity", "meaning": "A sum.", "section": "sec-adam"},
]
ADDRESSES = {entry["term"]: f"glossary.html#{entry['term']}" for entry in ENTRIES}
find = Finder(ENTRIES)


def found(text):
    return [(text[start:end], term) for start, end, term in find(text)]


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("A Gate, gates.", [("Gate", "gate"), ("gates", "gate")]),
        ("the forget\ngate", [("forget\ngate", "forget gate")]),
        ("a forget-gate bias", [("forget-gate", "forget gate")]),
        ("LSTMs and memory cells", [("LSTMs", "LSTM"), ("memory cells", "LSTM")]),
        ("memory capacities", [("memory capacities", "memory capacity")]),
        ("an lstm, a gateway, navigate, multi-gate, gate-like, a key, a rate", []),
    ],
)
def test_names_are_found_as_whole_words_in_any_spelling(text, uses):
    assert found(text) == uses


@given(st.text("gate forLSTM-s", max_size=30))
def test_uses_are_in_order_and_never_overlap(text):
    uses = list(find(text))
    assert all(a[1] <= b[0] for a, b in pairwise(uses))


def chapter(*sections):
    """Make a document with sections, each a label and its content."""
    document = new_document("chapter")
    for label, *contents in sections:
        section = nodes.section("", nodes.title("", "A gate"), ids=[label])
        section += [
            nodes.paragraph("", "", nodes.Text(each)) if isinstance(each, str) else each
            for each in contents
        ]
        document += section
    return document


def linked(document):
    link_first_uses(document, ENTRIES, ADDRESSES, "sec-exercises")
    return [(link.astext(), link["refuri"]) for link in document.findall(nodes.reference)]


def test_only_the_first_use_is_linked_and_the_text_stays():
    document = chapter(("sec-a", "No gate, one gate.", "A gate and an LSTM."), ("sec-b", "Gates."))
    before = document.astext()
    assert linked(document) == [("gate", "glossary.html#gate"), ("LSTM", "glossary.html#LSTM")]
    assert document.astext() == before


def test_no_use_is_linked_once_a_term_has_been_introduced():
    assert linked(chapter(("sec-gate", "A gate."), ("sec-b", "Gates."))) == []
    early = chapter(("sec-a", "A gate."), ("sec-gate", "A gate."))
    assert linked(early) == [("gate", "glossary.html#gate")]


def test_nothing_after_the_main_text_is_linked():
    assert linked(chapter(("sec-exercises", "A gate."), ("sec-further", "A gate."))) == []


def test_only_running_text_is_linked():
    paragraph = nodes.paragraph(
        "",
        "",
        nodes.reference("", "gate", refuri="x"),
        nodes.literal("", "gate"),
        nodes.math("", "gate"),
        nodes.strong("", "gate"),
        nodes.raw("", "<span data-set='gate'>", format="html"),
        nodes.Text("gate"),
        nodes.raw("", "</span>", format="html"),
    )
    note = nodes.note("", nodes.paragraph("", "", nodes.Text("gate")))
    figure = nodes.figure("", nodes.caption("", "gate"))
    document = chapter(("sec-a", paragraph, note, figure))
    assert [where for _, where in linked(document)] == ["x"]
