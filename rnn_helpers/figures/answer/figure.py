"""The figure *answer*: a box that takes and checks an exercise's answer without a kernel."""

import base64
import hashlib
import json
from functools import cache
from html import escape

from rnn_helpers.explore.html import inline

# The line of a closed box, before the script comes.
FOLDED = (
    '<div class="unfolded-stage fig-answer is-printed"><div class="folded">'
    '<span class="kicker">Your answer</span>'
    '<span class="how">Run it anywhere, and paste what it prints</span></div></div>'
)


def check(state, given):
    """Check that the exercise has an answer to type, and that labels and options fit it."""
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
    return {"asked": base64.b64encode(text.encode()).decode(), "version": version(text)}


def version(text):
    """Return a mark that changes with an exercise, so that a kept answer to an old one is seen."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def fallback(state):
    """Return the replacement of the box where no script runs."""
    asked = _asked(state)
    if asked["kind"] == "printed":
        return (
            f'{FOLDED}<div class="fig-answer"><p class="unfolded-question">'
            "What do these lines print, below your function?</p>"
            f'<pre class="lines" dir="ltr" translate="no">{escape(asked["lines"], quote=False)}'
            '</pre><p class="to-write">It prints:</p></div>'
        )
    question = state["question"] or "Your answer"
    parts = asked["options"] if asked["kind"] in ("choice", "set") else asked["labels"]
    items = "".join(f"<li>{inline(part)}</li>" for part in parts if part != "Your answer")
    return (
        f'<p class="unfolded-question">{inline(question)}</p>'
        + (f"<ul>{items}</ul>" if items else "")
        + "<p>Give your answer in the chapter’s notebook, which checks it.</p>"
    )


def _asked(state):
    return _asked_once(state["exercise"], tuple(state["labels"]), tuple(state["options"]))


@cache
def _asked_once(name, labels, options):
    from rnn_helpers.checks import instance, typed  # only this figure needs the exercises
    from rnn_helpers.checks.core import Exercise, require_exercise

    entry = require_exercise("exercise", name)
    if isinstance(entry, Exercise) and entry.cases:
        return instance.asked(name)
    return typed.typed(name, labels, options)
