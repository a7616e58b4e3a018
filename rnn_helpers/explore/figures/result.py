"""The figure *result*: what an experiment measured, and before that perhaps a question."""

from html import escape


def check(state, given):
    """Check that the state is what `rnn_helpers.experiments.data.Data` accepts."""
    if given:
        data, ask = _data(state), state["ask"]
        if ask:
            data.asking(**ask)


def fallback(state):
    """Return the estimates as a table, for notebooks that run no scripts."""
    data = _data(state)
    lines = data.table()
    head, *body = [list(lines[0]), *(line.values() for line in lines)]
    rows = [f"<tr>{''.join(f'<th>{escape(text)}</th>' for text in head)}</tr>"]
    rows += [f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in texts)}</tr>" for texts in body]
    table = f"<table>{''.join(rows)}</table>"
    if not state["ask"]:
        return f'<p class="unfolded-question">{escape(data.question)}</p>{table}'
    return (
        f'<p class="unfolded-question">{escape(state["ask"]["question"])}</p>'
        f"<details><summary>Result</summary>{table}</details>"
    )


def _data(state):
    from rnn_helpers.experiments.data import Data  # only this figure needs it

    return Data(**{key: value for key, value in state.items() if key != "ask"})
