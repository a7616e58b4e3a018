"""An archived claim is read like any other and can't be run."""

import json
from base64 import b64decode
from io import BytesIO

import pytest
from PIL import Image

from rnn_helpers.experiments import archived, load, show
from rnn_helpers.experiments.__main__ import main
from rnn_helpers.experiments.plain import digest
from rnn_helpers.experiments.show import MIME
from rnn_helpers.experiments.store import run_again
from rnn_helpers.plots.plot import MIME as PLOT

SLUG = "greedy-loops"


@pytest.fixture
def rewrite(monkeypatch, tmp_path):
    """Change parts of an archived claim in a copy."""
    stored = (archived.ARCHIVE / f"{SLUG}.json").read_text("utf-8")
    monkeypatch.setattr(archived, "ARCHIVE", tmp_path)

    def rewrite(honest=True, **changed):
        parts = json.loads(stored) | changed
        if honest:
            del parts["digest"]
            parts["digest"] = digest(parts)
        (tmp_path / f"{SLUG}.json").write_text(json.dumps(parts), "utf-8")

    return rewrite


def test_templates_are_filled_as_before(rewrite):
    half = {"value": 0.5, "low": 0.4, "high": 0.6}
    rewrite(numbers={"by": {"3": half, "all": [half]}, "least": {"at most": 0.0123}, "n": 7})
    words = "{n}: {by[3]:.1f}, {by[all][0].low}, at most {least:.2f}"
    assert load(SLUG).fill(words) == "7: 0.5 (0.4 to 0.6), 0.4, at most 0.02"


def test_each_block_has_its_headline():
    stored = load("omega-gradient")
    first, second = (stored.of(block) for block in stored.blocks)
    assert len({first.value, second.value, stored.headline.value}) == 3
    result = load(SLUG)
    assert result.of(*result.blocks) == result.headline == result.summary


def test_a_file_that_was_edited_or_cut_off_is_named(rewrite):
    rewrite(honest=False, claim="Something else.")
    with pytest.raises(ValueError, match=f"archived result of '{SLUG}' is damaged: its digest"):
        load(SLUG)
    path = archived.ARCHIVE / f"{SLUG}.json"
    for text in (path.read_text("utf-8")[:-9], "[]", "{}"):
        path.write_text(text, "utf-8")
        with pytest.raises(ValueError, match=f"damaged: .*; get {path.name} back"):
            load(SLUG)


@pytest.mark.parametrize("more", [[], ["--quick"], ["--block", "2"]])
def test_a_run_is_refused_with_the_date_and_the_place_of_the_code(capsys, more):
    claim = load(SLUG).experiment
    assert main(["run", SLUG, *more]) == 2
    said = capsys.readouterr().err
    assert f"'{SLUG}' can't be run: it was archived on {claim.date}." in said
    assert claim.code in said


def test_no_block_can_be_added():
    with pytest.raises(ValueError, match="was archived on"):
        run_again(load("omega-gradient"))


def test_it_is_never_stale_and_is_shown_like_any_other():
    result = load(SLUG)
    assert not result.stale
    shown = show(SLUG)._repr_mimebundle_()
    assert shown[MIME]["figure"]["alt"] == result.data().description
    assert result.data().question in shown["text/plain"]


def test_it_asks_and_is_taught_like_any_other():
    words = {"question": "How many of {of} networks?", "why": "{caught.value:.0%} do."}
    shown = show(SLUG, ask="RNN", x=[0.5], says="At first, {loops} of {of} do.", **words)
    assert shown.ask == {
        "question": "How many of 20 networks?",
        "labels": ["RNN"],
        "x": [0.5],
        "why": "100 % do.",
        "hidden": ["RNN"],
    }
    assert shown.says == "At first, 20 of 20 do."


def test_a_picture_is_the_one_that_was_drawn():
    plot = load("omega-gradient").plot()
    bundle = plot._repr_mimebundle_()
    assert bundle[PLOT] == plot.payload
    assert plot.alt in bundle["text/plain"]
    on_white, light = (
        Image.open(BytesIO(b64decode(one))) for one in (bundle["image/png"], plot.payload["light"])
    )
    assert on_white.mode == "RGB"
    assert on_white.size == light.size == tuple(2 * side for side in plot.size)
    assert plot.smallest >= 11
