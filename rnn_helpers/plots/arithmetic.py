"""One step of a cell, with the arithmetic behind each of its numbers."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style
from rnn_helpers.plots.sheet import FONT, Sheet, check_few, names_of, signed, symbol
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.reference.rnn import rnn_forward
from rnn_helpers.validate import as_array, as_initial_state, as_params

_BOX = (0.56, 0.3)  # width and height in inches


def cell_step(
    params, x, h_prev=None, *, node="a1", symbols=None, outputs=None, nonlinearity="tanh"
):
    """Draw what one step of the network computes, and write out the sum behind one number.

    Parameters
    ----------
    params : mapping
        Arrays ``U``, ``W``, ``V``, ``b``, ``c``, as `init_rnn` gives them, of at most 8 units each.
    x : int or array_like, shape (n_x,)
        Input of this step: a token (an integer) or a vector.
    h_prev : array_like, shape (n_h,), optional
        State of the step before; 0 by default.
    node : str
        The number to explain: ``a``, ``h``, ``o`` or ``y`` and its index from 1, such as ``"a2"``.
    symbols, outputs : sequence of str, optional
        Names of the inputs and of the outputs, which by default are the same; without names they
        are numbered from 1.
    nonlinearity : {"tanh", "sigmoid"}

    Raises
    ------
    ValueError
        If a layer has more than 8 units.
    """
    weights = as_params(params)
    x = as_array("x", x)
    if weights.W.ndim != 2:
        raise ValueError(f"params['W'] has shape {weights.W.shape}; expected one network")
    if h_prev is not None:
        h_prev = as_initial_state("h_prev", h_prev, weights.W.shape[:1], weights.W.dtype)
    run = rnn_forward(params, x[None], h_prev, nonlinearity)
    values = {
        "hPrev": run.h0,
        "x": _vector(x, weights.U.shape[-1]),
        "a": run.a[0],
        "h": run.h[0],
        "o": run.o[0],
        "y": run.yhat[0],
    }
    check_few({name: len(value) for name, value in values.items()})
    kind, index = _parse(node, values)
    inputs = names_of("symbols", symbols, len(values["x"]))
    outputs = names_of("outputs", symbols if outputs is None else outputs, len(values["y"]))
    rows = _ledger(kind, index, weights, values, nonlinearity, inputs, outputs)
    with style():
        sheet = Sheet(7.2, 3.9)
        _draw_cell(sheet, values, kind, index, weights, inputs, outputs, nonlinearity)
        _write_ledger(sheet, rows)
        best = int(np.argmax(values["y"]))
        alt = (
            f"One step of a recurrent network with {len(values['h'])} hidden units. "
            f"{_spoken(kind, index, values, rows, nonlinearity)} "
            f"The likeliest output is {outputs[best]}, with probability "
            f"{number(values['y'][best])}."
        )
        return Plot(sheet.figure, alt)


def _spread(n, first, last):
    """Places of n boxes from first to last; one alone stands in the middle."""
    return np.linspace(first, last, n) if n > 1 else np.array([(first + last) / 2])


def _parse(node, values):
    kinds = "ahoy"
    kind, index = str(node)[:1], str(node)[1:]
    sizes = {name: len(values[name]) for name in kinds}
    if kind not in sizes or not index.isdecimal() or not 1 <= int(index) <= sizes[kind]:
        named = ", ".join(f"{name}1..{name}{size}" for name, size in sizes.items())
        raise ValueError(f"node is {node!r}; expected one of {named}")
    return kind, int(index) - 1


def _vector(x, n_x):
    return np.eye(n_x)[x] if x.dtype.kind in "iu" else x


def _ledger(kind, index, weights, values, nonlinearity, inputs, outputs):
    """Rows (name, arithmetic, colour, result) of the sum behind a number; the last is the total."""
    to = outputs[index] if kind in "oy" else index + 1
    result = values[kind][index]
    if kind in "ao":
        bias, terms = {
            "a": ("b", [("W", "hPrev", "state"), ("U", "x", "input")]),
            "o": ("c", [("V", "h", "state")]),
        }[kind]
        rows = [(symbol(bias, to), "", "parameter", getattr(weights, bias)[index])]
        for matrix, vector, meaning in terms:
            row = getattr(weights, matrix)[index]
            for j, (weight, value) in enumerate(zip(row, values[vector], strict=True)):
                below = inputs[j] if vector == "x" else j + 1
                if vector == "x" and value == 0:
                    continue
                label = f"{symbol(matrix, f'{to},{below}')}{symbol(vector[0], below)}"
                rows.append((label, f"{weight:.3g} × {value:.3f}", meaning, weight * value))
        idle = int(np.sum(values["x"] == 0)) if kind == "a" else 0
        if idle:
            rows.append((f"other {symbol('x')}", "weights × 0", "muted", 0.0))
        last = "the sum"
    elif kind == "h":
        rows = [(symbol("a", to), "from below", "state", values["a"][index])]
        last = f"{nonlinearity}({values['a'][index]:.3f})"
    else:
        powers = np.exp(values["o"])
        rows = [
            (f"exp {symbol('o', name)}", f"exp({o:.3f})", "output", power)
            for name, o, power in zip(outputs, values["o"], powers, strict=True)
        ]
        rows.append(("sum", "of all", "ink", powers.sum()))
        last = f"{powers[index]:.3f} / {powers.sum():.3f}"
    return [*rows, (symbol(kind, to), last, "ink", result)]


def _spoken(kind, index, values, rows, nonlinearity):
    name = f"{'yhat' if kind == 'y' else kind}_{index + 1}"
    result = number(values[kind][index])
    if kind == "h":
        return f"{name} is {nonlinearity} of {number(values['a'][index])}: {result}."
    if kind == "y":
        return f"{name} is exp of {number(values['o'][index])}, over the sum of all: {result}."
    terms = enumerated(number(row[3]) for row in rows[:-1] if row[3])
    return f"{name} is {result}, the sum of {terms}."


def _draw_cell(sheet, values, kind, index, weights, inputs, outputs, nonlinearity):
    left, right = 0.1, 3.75
    heights = {"y": 3.4, "o": 2.78, "h": 1.98, "a": 1.42, "x": 0.55}
    n_h, n_x = len(values["h"]), len(values["x"])
    width = min(_BOX[0], (right - left) / (n_h + n_x) - 0.06)
    bottom = _spread(n_h + n_x, left + width / 2, right - width / 2)
    inset = 0.12 + width / 2
    columns = {
        "hPrev": bottom[:n_h] - 0.03,
        "x": bottom[n_h:] + 0.03,
        "o": _spread(len(outputs), left + inset, right - inset),
        "y": _spread(len(outputs), left + inset, right - inset),
    }
    columns["a"] = columns["h"] = _spread(n_h, left + 0.95, right - 0.95)
    heights["hPrev"] = heights["x"]
    size = min(FONT, 24 * width)

    def edge(start, j, end, i, weight, meaning):
        on = (end, i) == (kind, index) and values[start][j] != 0
        product = 1 if weight is None else weight * values[start][j]
        sheet.line(
            (columns[start][j], heights[start] + _BOX[1] / 2),
            (columns[end][i], heights[end] - _BOX[1] / 2),
            colour(meaning if on else "edge"),
            width=min(0.8 + 1.1 * abs(product), 4.5) if on else 0.5,
            dashed=on and product < 0,
        )

    for i in range(n_h):
        for j in range(n_h):
            edge("hPrev", j, "a", i, weights.W[i, j], "state")
        for j in range(n_x):
            edge("x", j, "a", i, weights.U[i, j], "input")
        edge("a", i, "h", i, None, "state")
    for i in range(len(outputs)):
        for j in range(n_h):
            edge("h", j, "o", i, weights.V[i, j], "state")
        for j in range(len(outputs)):
            if i == j or (kind, index) == ("y", i):
                edge("o", j, "y", i, None, "output")
    meanings = {"x": "input", "o": "output", "y": "output"}
    for name, numbers in values.items():
        meaning = meanings.get(name, "state")
        for j, value in enumerate(numbers):
            sheet.box(
                (columns[name][j], heights[name]),
                [_short(name, value)],
                meaning,
                width / 2,
                _BOX[1],
                round_=meaning == "state",
                strong=(name, j) == (kind, index),
                fill=value if name == "y" else 0,
                size=size,
            )
        if name != "hPrev":
            at = (right + 0.12, heights[name])
            sheet.text(at, symbol(name, above="t"), meaning, size=13, align="left")
    previous = symbol("h", above="t-1")
    sheet.text((columns["hPrev"].mean(), heights["x"] - 0.36), previous, "state", size=13)
    for j, name in enumerate(inputs):
        sheet.text((columns["x"][j], heights["x"] - 0.32), name, "input", size=size)
    for j, name in enumerate(outputs):
        sheet.text((columns["y"][j], heights["y"] + 0.29), name, "output", size=size)
    squash = {"tanh": "tanh", "sigmoid": r"$\sigma$"}[nonlinearity]
    middle = (heights["a"] + heights["h"]) / 2
    sheet.text((columns["a"][0] + 0.07, middle), squash, "muted", align="left")


def _short(name, value):
    if name == "y" and not 0.005 <= value <= 0.995:
        return "<0.01" if value < 0.5 else ">0.99"
    if name == "x" and value in (0, 1):
        return str(int(value))
    return signed(value, 2)


def _write_ledger(sheet, rows):
    left, right = 4.4, 7.1
    pitch = min(0.34, 3.3 / len(rows))
    size = min(FONT, 32 * pitch)
    y = 1.95 + pitch * (len(rows) - 1) / 2
    for k, (name, work, meaning, result) in enumerate(rows):
        last = k == len(rows) - 1
        if last:
            sheet.line((left, y + pitch / 2), (right, y + pitch / 2), colour("edge"), width=1)
        weight = "bold" if last else "normal"
        sheet.text((left, y), name, meaning, align="left", size=1.15 * size)
        sheet.text((right - 0.72, y), work.replace("-", "−"), meaning, align="right", size=size)
        value = signed(result, 3)
        sheet.text((right, y), value, meaning, align="right", size=size, weight=weight)
        y -= pitch
