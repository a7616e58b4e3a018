"""The figure *predict*: a question, the reader's guess, the answer and why."""

from numbers import Real

from rnn_helpers.explore.html import inline


def check(state, given):
    """Check the state of a prediction.

    Parameters
    ----------
    state : dict
        The complete state: ``question``, ``kind`` (``"choice"``, ``"number"`` or ``"drag"``),
        ``choices``, ``answer``,
        ``why``, and for numbers ``min``, ``max``, ``log``, ``unit``.
    given : dict
        What of it was given. Without any of it, the prediction is an example.
    """
    needed = ["question", "answer", "why"] + ["choices"] * (state["kind"] == "choice")
    missing = [key for key in needed if key not in given]
    if given and missing:
        raise ValueError(f"{' and '.join(missing)} missing; a prediction needs {', '.join(needed)}")
    for key in ("question", "why"):
        if not state[key].strip():
            raise ValueError(f"{key} is {state[key]!r}; a prediction needs words for it")
    if state["kind"] == "choice":
        _check_choice(state["choices"], state["answer"])
    else:
        _check_number(state)


def _check_choice(choices, answer):
    if (
        not isinstance(choices, list)
        or not 2 <= len(choices) <= 6
        or any(not isinstance(choice, str) or not choice.strip() for choice in choices)
        or len(set(choices)) < len(choices)
    ):
        raise ValueError(f"choices is {choices!r}; expected two to six different strings")
    if answer not in choices:
        raise ValueError(f"answer is {answer!r}; expected one of {', '.join(map(repr, choices))}")


def _check_number(state):
    values = {}
    for key in ("answer", "min", "max"):
        value = state[key]
        if value is None and key != "answer" and state["kind"] == "number":
            continue
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValueError(f"{key} is {value!r}; expected a number")
        values[key] = value
    low, high = values.get("min", -float("inf")), values.get("max", float("inf"))
    if not low < high:
        raise ValueError(f"max is {high!r}; expected more than min, {low!r}")
    if not low <= values["answer"] <= high:
        raise ValueError(f"answer is {state['answer']!r}; expected it from {low} to {high}")
    if state["log"] and low <= 0:
        raise ValueError(f"min is {state['min']!r}; expected a positive number where log is True")


def fallback(state):
    """Return the prediction as HTML that folds: the question, the choices, the answer and why."""
    choices = state["choices"] if state["kind"] == "choice" else []
    choices = "".join(f"<li>{inline(choice)}</li>" for choice in choices)
    answer = state["answer"]
    text = answer if isinstance(answer, str) else f"{answer:,.6g} {state['unit']}".strip()
    return (
        f'<p class="unfolded-question">{inline(state["question"])}</p>'
        + (f"<ul>{choices}</ul>" if choices else "")
        + f"<details><summary>Answer</summary><p><strong>{inline(text)}</strong>. "
        f"{inline(state['why'])}</p></details>"
    )
