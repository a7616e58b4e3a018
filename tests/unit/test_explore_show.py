import base64
import json
import re
from contextlib import suppress
from functools import partial

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from refusals import ABSURD, NAME, NAN

from rnn_helpers.circuits import Circuit, Edge
from rnn_helpers.explore import html as figure_html
from rnn_helpers.explore import manifest, markup, scripts_for, show, styles_for
from rnn_helpers.explore.states import require_place, static_file
from rnn_helpers.figures import module

FIGURE = "application/vnd.unfolded.figure+json"
PREDICTION = {"question": "How many?", "answer": 3, "why": "Because.", "kind": "number"}


CONTROLS = [
    (name, key, spec) for name, meta in manifest().items() for key, spec in meta["controls"].items()
]
NUMERIC = [control for control in CONTROLS if control[2]["type"] in ("int", "float")]


@given(st.sampled_from(NUMERIC), st.integers(309, 6000), st.sampled_from([1, -1]))
def test_a_number_beyond_every_float_is_refused(control, digits, sign):
    name, key, spec = control
    expected = f"expected a number from {spec['min']} to {spec['max']}"
    with pytest.raises(ValueError, match=f"^{key} is .*{re.escape(expected)}"):
        show(name, **{key: sign * 10**digits})


@given(st.sampled_from(CONTROLS), st.sampled_from(ABSURD))
def test_a_control_takes_or_refuses_whatever_it_is_given(control, value):
    name, key, _ = control
    with suppress(TypeError, ValueError):
        show(name, **{key: value})


@pytest.mark.parametrize("name", manifest())
def test_a_figures_meta_has_a_question_a_story_and_labels(name):
    meta = manifest()[name]
    assert meta["question"].endswith("?")
    assert meta["story"].endswith(".")
    assert min(len(meta["story"]), len(meta["alt"])) > 30
    for key, spec in meta["controls"].items():
        assert spec["label"], key
        if spec["type"] in ("int", "float"):
            assert spec["min"] <= spec["default"] <= spec["max"], key


@pytest.mark.parametrize("name", manifest())
def test_an_untouched_figure_has_a_picture_or_words_that_need_no_script(name):
    bundle = show(name)._repr_mimebundle_()
    payload = bundle[FIGURE]
    assert payload["module"] == name
    assert not payload["state"].keys() & manifest()[name]["controls"].keys()
    assert bundle["text/plain"] == payload["alt"] == manifest()[name]["alt"]
    assert json.loads(json.dumps(payload)) == payload
    if "fallback" in payload:
        assert "unfolded-question" in payload["fallback"]
        assert "<img" not in bundle["text/html"]
    else:
        image = picture(bundle)
        assert image["alt"] == payload["alt"]
        assert 100 < int(image["height"]) < 1200
        assert "default state" not in bundle["text/html"]
    # A notebook's output contains only its figure's style sheet.
    output = bundle["text/html"]
    assert re.findall(r'"figures/(\w+)\.css"', output) == [name]
    assert set(re.findall(r"\.fig-(\w+)", output.partition("<script>")[2])) <= {name}


def picture(bundle):
    """Return the image that a notebook shows if it can't run scripts."""
    images = BeautifulSoup(bundle["text/html"].partition("<script>")[0], "html.parser")("img")
    assert len(images) == 1
    return images[0]


def test_a_notebook_without_scripts_shows_the_default_state_with_a_notice():
    default = picture(show("unfold")._repr_mimebundle_())
    bundle = show("unfold", T=8)._repr_mimebundle_()
    assert picture(bundle) == default
    assert "<p>This picture shows the default state.</p>" in bundle["text/html"]
    assert bundle["text/plain"].endswith(" This picture shows the default state.")
    file = base64.b64decode(default["src"].removeprefix("data:image/svg+xml;base64,"))
    assert file == static_file("figures/unfold.svg").read_bytes()


@pytest.mark.parametrize(
    ("name", "state", "message"),
    [
        ("unfld", {}, "did you mean 'unfold'"),
        ("unfold", {"t": 3}, "did you mean 'T'"),
        ("unfold", {"colour": 3}, "its controls are T, pattern"),
        ("unfold", {"T": 0}, "T is 0; expected a number from 1 to 12"),
        ("unfold", {"T": 13}, "from 1 to 12"),
        ("unfold", {"pattern": "10.9"}, "expected one of '10.2', '10.3'"),
        ("unfold", {"words": "a" * 201}, "words has 201 characters; expected at most 200"),
        ("unfold", {"circuit": {"nodes": ["h"]}}, "edges"),
        ("unfold", {"circuit": object()}, "expected what JSON can hold"),
        ("predict", {"question": "How many?"}, "answer and why and choices missing"),
        ("predict", {**PREDICTION, "why": " "}, "why is ' '"),
        ("predict", {**PREDICTION, "answer": "3"}, "answer is '3'; expected a number"),
        ("predict", {**PREDICTION, "answer": float("nan")}, "what JSON can hold"),
        ("predict", {**PREDICTION, "kind": "drag"}, "min is None; expected a number"),
        ("predict", {**PREDICTION, "kind": "drag", "min": 4, "max": 9}, "from 4 to 9"),
        ("predict", {**PREDICTION, "min": 9, "max": 4}, "max is 4; expected more than min, 9"),
        ("predict", {**PREDICTION, "min": 0, "max": 4, "log": True}, "positive"),
        ("predict", {**PREDICTION, "kind": "choice", "choices": ["3"]}, "two to six"),
        ("predict", {**PREDICTION, "kind": "choice", "choices": ["1", "2"]}, "expected one of"),
        ("answer", {"exercise": "11-way"}, "exercise is '11-way', which is no exercise"),
        ("answer", {"exercise": "03-latch"}, "expected one whose only right answer is a value"),
        ("answer", {"exercise": "07-gauss"}, "labels is []; expected 2 labels"),
        ("answer", {"labels": ["a", 3]}, "labels is ['a', 3]; expected a list of strings"),
        ("answer", {"options": ["45", "46"]}, "expected none, because the answer is typed"),
        ("predict", {**PREDICTION, "kind": "guess"}, "expected one of 'choice', 'number', 'drag'"),
    ],
)
def test_a_state_no_figure_can_take_is_refused_in_words(name, state, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        show(name, **state)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"T": 4.0}, "T is 4.0; expected an integer"),
        ({"T": True}, "expected an integer"),
        ({"T": "4"}, "expected an integer"),
        ({"words": 3}, "words is 3; expected a string"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_in_words(state, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        show("unfold", **state)


def beyond(spec):
    """Values that a control refuses."""
    if spec["type"] in ("int", "float"):
        return [spec["min"] - 1, spec["max"] + 1, float("nan"), "x", None, True]
    if spec["type"] == "text":
        return [3, *(["a" * (spec["maxLength"] + 1)] if "maxLength" in spec else [])]
    return {"choice": ["none of them"], "bool": [1, "x"], "json": [object()]}[spec["type"]]


@pytest.mark.parametrize("name", manifest())
def test_every_control_rejects_values_out_of_range_by_name(name):
    for key, spec in manifest()[name]["controls"].items():
        for value in beyond(spec):
            with pytest.raises((TypeError, ValueError), match=f"^{key} "):
                show(name, **{key: value})


def test_a_figure_can_be_shown_again_from_its_own_payload():
    first = show("unfold", T=3, circuit=Circuit(["s"], [Edge("s", "s", "f", delay=2)]))
    again = show(first.payload["module"], **first.payload["state"])
    assert again.payload == first.payload


def test_a_figure_without_a_module_has_its_own_words(monkeypatch):
    assert module("of_no_figure") is None
    monkeypatch.setattr("rnn_helpers.figures.module", lambda name: None)
    payload = show("unfold", T=5).payload
    assert payload["state"] == {"T": 5}
    assert payload["alt"] == manifest()["unfold"]["alt"]


def test_markup_carries_a_still_and_may_keep_its_state_in_the_address():
    payload = show("unfold").payload
    assert "<p>still</p>" in markup(payload, "<p>still</p>")
    assert "data-address" in markup(payload)
    assert "data-address" not in markup(payload, address=False)


def test_markup_escapes_the_authors_text():
    text = '"><script>alert(1)</script> & `x < y`'
    html = markup(show("predict", **{**PREDICTION, "question": text, "why": text}).payload)
    assert "<script" not in html
    assert "<code>x &lt; y</code>" in html


def test_a_notebook_output_closes_its_script_only_at_its_end():
    html = show("predict", **{**PREDICTION, "why": "</script><!-- &"})._repr_mimebundle_()[
        "text/html"
    ]
    assert html.count("</script>") == 1
    assert html.endswith("</script>")
    assert "<!--" not in html


@pytest.mark.parametrize("name", manifest())
def test_a_figures_style_touches_no_other_figure(name):
    sheet = static_file(f"figures/{name}.css").read_text("utf-8")
    rules = re.findall(r"(?<=[{}])([^{}@]+)\{", "}" + sheet)
    steps = re.compile(r"(from|to|[\d.]+%)(,|$)")  # of an animation
    others = [rule for rule in rules if f".fig-{name}" not in rule and not steps.match(rule)]
    assert others == []


def test_a_page_loads_the_host_and_each_figure_once():
    assert scripts_for([]) == []
    assert scripts_for(["unfold", "predict", "unfold"]) == [
        "host.js",
        "figures/predict.js",
        "figures/unfold.js",
    ]
    assert styles_for([]) == []
    assert styles_for(["unfold"]) == ["sans.css", "figures.css", "figures/unfold.css"]
    files = scripts_for(manifest()) + styles_for(manifest())
    assert all(static_file(path).is_file() for path in files)
    for files_for in (scripts_for, styles_for):
        with pytest.raises(ValueError, match="'unfld'"):
            files_for(["unfld"])


def test_a_caption_is_text():
    payload = show("unfold").payload | {"caption": "<b>a</b> & b"}
    assert "<figcaption>&lt;b&gt;a&lt;/b&gt; &amp; b</figcaption>" in markup(payload)


def test_a_script_within_a_notebook_cannot_open_a_comment_or_end_an_element(monkeypatch, tmp_path):
    payload = show("unfold").payload
    for path in [*styles_for([payload["module"]]), *scripts_for([payload["module"]])]:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("a = '<!-- <script>'; b = '</script>'", "utf-8")
    monkeypatch.setattr(figure_html, "static_file", lambda path: tmp_path / path)
    html = figure_html.self_contained(payload)
    assert html.count("</script>") == 1
    assert "<!--" not in html


def test_the_last_place_of_a_figure_is_one_of_its_places():
    for place in (1, 5):
        require_place("t", {"t": place}, {"t": place}, 5, "x has the steps")
    with pytest.raises(ValueError, match="t is 6; x has the steps 1 to 5"):
        require_place("t", {"t": 6}, {"t": 6}, 5, "x has the steps")
    require_place("t", {"t": 6}, {}, 5, "x has the steps")  # an argument replaces a default


PAYLOAD = dict.fromkeys(("module", "state", "alt", "caption", "question"), "")

REFUSALS = {
    show: (
        {"name": "unfold"},
        {
            "name": [None, 3, "", "no", ["a"]],
            "T": [0, -1, 99, 2.5, "3", None, NAN, True],
            "pattern": ["no", None, 3, [1]],
            "circuit": [3, "a", {}, {"nodes": []}, [1], NAN],
            "nosuch": [1],
        },
    ),
    partial(show, "step"): (
        {},
        {
            "text": ["abc", "ж", None, 3, "a" * 999],
            "t": [0, 99, NAN, "a"],
            "node": ["no", None, "a9", 3, []],
            "squash": NAME,
        },
    ),
    partial(show, "automaton"): (
        {},
        {
            "text": ["abc", "ж", None, 3, "ab" * 9 + "</s>", "a</s>b"],
            "t": [-1, 99, NAN, "a"],
            "bigram": [None, 3, "no"],
            "k": [0, 31, 2.5, None],
        },
    ),
    partial(show, "bptt"): (
        {},
        {"T": [0, 99, NAN], "at": ["no", None, 3, "h99", ""], "loss": NAME},
    ),
    partial(show, "predict"): (
        {"question": "?", "answer": "a", "why": "So.", "choices": ["a", "b"]},
        {
            "question": ["", None, 3],
            "answer": ["no", None, 3, NAN],
            "why": ["", None],
            "choices": [None, [], ["a"], ["a", "a"], 3, "ab"],
            "kind": ["no"],
        },
    ),
    partial(show, "answer"): (
        {"exercise": "14-signs"},
        {
            "exercise": ["", "03-latch", "05-cycle", "11-way", None, 3],
            "question": [None, 3],
            "labels": [None, 3, "ab", ["a"], [3]],
            "options": [None, 3, "ab", ["a", "b"], [[]]],
        },
    ),
    manifest: ({}, {}),
    markup: ({"payload": PAYLOAD}, {"payload": [None, {}, 3, "a"]}),
    scripts_for: ({"modules": ["unfold"]}, {"modules": [None, 3, "unfold"]}),
    styles_for: ({"modules": ["unfold"]}, {"modules": [None, 3, "unfold"]}),
}
