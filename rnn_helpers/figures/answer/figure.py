"""The figure *answer*: a box that takes and checks an exercise's answer without a kernel."""

import base64
import json

from rnn_helpers.explore.html import inline


def check(state, given):
    """Check that the exercise's answer can be typed, and that labels and options fit it."""
    for key in ("labels", "options"):
        value = state[key]
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise ValueError(f"{key} is {value!r}; expected a list of strings")
    _asked(state)


def derived(state):
    """Return the entries of the registry that the script needs to judge an answer.

    The encoding keeps readers from seeing the answer by accident. It isn't a secret.
    """
    text = json.dumps(_asked(state))
    return {"asked": base64.b64encode(text.encode()).decode()}


def fallback(state):
    """Return the replacement of the box where no script runs."""
    asked = _asked(state)
    question = state["question"] or "Your answer"
    parts = asked["options"] if asked["kind"] in ("choice", "set") else asked["labels"]
    items = "".join(f"<li>{inline(part)}</li>" for part in parts if part != "Your answer")
    return (
        f'<p class="unfolded-question">{inline(question)}</p>'
        + (f"<ul>{items}</ul>" if items else "")
        + "<p>Give your answer in the chapter’s notebook, which checks it.</p>"
    )


def _asked(state):
    from rnn_helpers.checks.typed import typed  # only this figure needs the exercises

    return typed(state["exercise"], state["labels"], state["options"])
