import pytest
from matplotlib.patches import FancyArrowPatch

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("10")

ARROWS = [
    (("x", 2), ("h", 1)),
    (("h", 1), ("h", 2)),
    (("x", 1), ("h", 2)),
    (("h", 2), ("C", 1)),
    (("C", 1), ("g", 1)),
    (("g", 1), ("y", 1)),
]
PATH = [("x", 1), ("h", 2), ("C", 1), ("g", 1), ("y", 1)]


def test_every_arrow_is_drawn_and_each_input_is_under_its_state():
    (axes,) = plots.translation_graph("ab", "c", ARROWS).figure.axes
    assert sum(isinstance(patch, FancyArrowPatch) for patch in axes.patches) == len(ARROWS)
    place = {word.get_text(): word.get_position() for word in axes.texts}
    assert place["a"] == (2, 0)
    assert place["b"] == (1, 0)
    assert place["c"] == (4, 2)


def test_the_alternative_text_states_input_output_and_path_length():
    alt = plots.translation_graph("ab", "c", ARROWS, PATH).alt
    assert alt.startswith(
        "An encoder reads ab in 2 steps, and a decoder writes c and the end symbol in 2."
    )
    assert alt.endswith("arrows to 1 state of the decoder. 4 arrows lead from a to c.")
    assert plots.translation_graph("ab", "c", ARROWS).alt.endswith("of the decoder.")


def test_a_context_of_one_step_is_under_the_decoder_state_that_receives_it():
    arrows = [(("h", k), ("c", 2)) for k in (1, 2)] + [(("g", 1), ("c", 2)), (("c", 2), ("g", 2))]
    drawn = plots.translation_graph("ab", "d", arrows)
    place = {word.get_text(): word.get_position() for word in drawn.figure.axes[0].texts}
    assert place["$c$"] == (5, 0)
    assert drawn.alt.endswith(
        "The context of step 2, c, has arrows from 2 states of the encoder and from the decoder's "
        "state before the step."
    )


def test_words_are_symbols_and_states_can_have_other_names():
    drawn = plots.translation_graph(["we", "hear"], ["on"], ARROWS, PATH, {"h": "a"})
    (axes,) = drawn.figure.axes
    words = [word.get_text() for word in axes.texts]
    assert {"we", "hear", "on", "$a_1$", "$a_2$", "$g$"} <= set(words)
    assert "reads we hear in 2 steps, and a decoder writes on and" in drawn.alt


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"source": ""}, "source is ''"),
        ({"arrows": []}, "arrows is empty"),
        ({"arrows": [(("x", 3), ("h", 1))]}, "expected a node such as"),
        ({"path": [("x", 1), ("h", 1)]}, "expected nodes that arrows join"),
    ],
)
def test_mismatched_arguments_are_named(changed, message):
    given = {"source": "ab", "target": "c", "arrows": ARROWS, "path": PATH}
    with pytest.raises(ValueError, match=message):
        plots.translation_graph(**given | changed)


REFUSALS = {
    plots.translation_graph: (
        {
            "source": "a",
            "target": "b",
            "arrows": [(("x", 1), ("h", 1))],
            "path": [("x", 1), ("h", 1)],
        },
        {
            "source": [None, 3, "", [], [1], [""]],
            "target": [None, 3, "", [], [1], [""]],
            "arrows": [None, 3, [], "a", [3], [("x", 1)], [(("x", 2), ("h", 1))]],
            "path": [None, 3, "a", [("x", 2)], [("h", 1), ("x", 1)]],
            "names": [3, "a", {"x": "a"}, {"h": 1}, {"h": ""}],
        },
    )
}
