"""The figure *result*: the results of an experiment, optionally after a question."""

from html import escape


def check(state, given):
    """Check that `rnn_helpers.experiments.data.Data` accepts the state."""
    if given:
        data, ask = _data(state), state["ask"]
        if ask:
            data.asking(**ask)


def fallback(state):
    """Return the question and the tables of the estimates, for notebooks that run no scripts."""
    ask = state["ask"]
    question = escape((ask or state)["question"])
    shown = tables(_data(state))
    if ask:
        shown = f"<details><summary>Result</summary>{shown}</details>"
    return f'<p class="unfolded-question">{question}</p>{shown}'


def answer(state):
    """Return the question of a figure that asks, its result and the reason, for a speaker."""
    ask = state["ask"]
    return f"{ask['question']} Answer: {_data(state).answer(ask)} {ask['why']}".strip()


def tables(data):
    """Return the estimates of data as tables."""
    return "".join(_table(caption, lines) for caption, lines in data.tables.items())


def _table(caption, lines):
    heads = list(dict.fromkeys(head for line in lines for head in line))
    body = [[line.get(head, "") for head in heads] for line in lines]
    rows = [_row("th", heads), *(_row("td", texts) for texts in body)]
    return f"<table><caption>{escape(caption)}</caption>{''.join(rows)}</table>"


def _row(tag, texts):
    return f"<tr>{''.join(f'<{tag}>{escape(text)}</{tag}>' for text in texts)}</tr>"


def _data(state):
    from rnn_helpers.experiments.data import Data  # only this figure needs it

    return Data(**{key: value for key, value in state.items() if key != "ask"})
