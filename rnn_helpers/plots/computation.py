"""Numbers where they are computed: one step of a cell, and back-propagation through a short run."""

from itertools import pairwise

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style
from rnn_helpers.plots.sheet import FONT, LINE, Sheet, row, signed
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.reference.bptt import (
    grad_last_state,
    grad_output,
    grad_state,
    grad_state_as_printed,
    rnn_backward,
)
from rnn_helpers.reference.rnn import NONLINEARITIES, rnn_forward, step_loss
from rnn_helpers.validate import (
    as_array,
    as_count,
    as_initial_state,
    as_kind,
    as_list,
    as_params,
)

_MOST = 8  # boxes beside each other whose numbers can still be read
_BOX = (0.56, 0.3)  # width and height in inches
_NAMES = {"a": "a", "h": "h", "o": "o", "y": r"\hat{y}", "x": "x"}


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

    Returns
    -------
    Plot

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
    _few({name: len(value) for name, value in values.items()})
    kind, index = _parse(node, values)
    inputs = _named("symbols", symbols, len(values["x"]))
    outputs = _named("outputs", symbols if outputs is None else outputs, len(values["y"]))
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


def bptt_numbers(params, x, y, mask=None, *, back_to=1, words=None, outputs=None, as_printed=False):
    """Draw a short run with its numbers, and the gradient as it comes back through time.

    States that the gradient has reached show it; the others show their value. Below, the share of
    each copy ``W^(t)`` and their sum: the area of a square is the size of an entry,
    hollow is minus.

    Parameters
    ----------
    params : mapping
        Arrays ``U``, ``W``, ``V``, ``b``, ``c``, as `init_rnn` gives them.
    x : array_like, shape (T,) of int or (T, n_x) of float
        At most 8 tokens or vectors.
    y : array_like of int, shape (T,)
        Targets.
    mask : array_like, shape (T,), optional
        1 for the steps whose loss counts, 0 for the others.
    back_to : int
        The step that the gradient has come back to: 1 is the first; T + 1 shows the run forwards.
    words : sequence of T str, optional
        What is read at each step; by default the steps are numbered.
    outputs : sequence of n_y str, optional
        Names of the outputs; by default they are numbered from 1.
    as_printed : bool
        Whether to use (10.21) as printed, read entry by entry, which is wrong.

    Returns
    -------
    Plot

    Raises
    ------
    ValueError
        If there are more than 8 steps or units.
    """
    weights = as_params(params)
    if weights.W.ndim != 2:
        raise ValueError(f"params['W'] has shape {weights.W.shape}; expected one network")
    run = rnn_forward(params, x)
    if run.h.ndim != 2:
        raise ValueError(f"x has shape {np.shape(x)}; expected one sequence, (T,) or (T, n_x)")
    T = len(run.h)
    _few({"T": T, "h": run.h.shape[-1], "o": run.o.shape[-1]})
    if as_count("back_to", back_to) > T + 1:
        raise ValueError(f"back_to is {back_to}; expected a step from 1 to T + 1 = {T + 1}")
    recursion = grad_state_as_printed if as_printed else grad_state
    shares = rnn_backward(params, run, y, mask, recursion=recursion, per_step=True)
    scored = np.ones(T, bool) if mask is None else np.asarray(mask).astype(bool)
    y = np.asarray(y)
    gradients = _state_gradients(weights, run, y, scored, recursion)
    loss = np.where(scored, step_loss(run.log_yhat, y), 0)
    words, outputs = _named("words", words, T), _named("outputs", outputs, run.o.shape[-1])
    sizes = np.linalg.norm(gradients[-1], axis=-1)
    with style():
        figure = _draw_run(run, y, scored, loss, gradients, shares["W"], back_to, words, outputs)
        alt = f"A recurrent network unfolded over {', '.join(words)}. "
        alt += f"The loss is {number(loss.sum())}. "
        if back_to <= T:
            came = [f"{number(sizes[t])} at h^({t + 1})" for t in reversed(range(back_to - 1, T))]
            alt += "Coming back, the gradient has the size " + enumerated(came) + "."
        return Plot(figure, alt)


# ---- one step


def spelling(params, word, letters):
    """Draw a network that reads a word, with its numbers: one-hot inputs, states, probabilities.

    Parameters
    ----------
    params : mapping
        Arrays ``U``, ``W``, ``V``, ``b``, ``c``, as `init_rnn` gives them.
    word : str
        Of 2 to 9 letters; each but the last is read, and each but the first should come next.
    letters : str
        The alphabet, of at most 8 letters.

    Returns
    -------
    Plot

    Raises
    ------
    ValueError
        If there are more than 8 steps or units.
    """
    weights = as_params(params)
    for name, text in {"word": word, "letters": letters}.items():
        as_kind(name, text, str, "a string")
    if len(word) < 2 or not set(word) <= set(letters):
        raise ValueError(f"word is {word!r}; expected at least 2 of the letters {letters!r}")
    sizes = weights.V.shape[0], weights.U.shape[-1]
    if weights.W.ndim != 2 or sizes != (len(letters), len(letters)):
        raise ValueError(
            f"params['V'] has shape {weights.V.shape} and params['U'] {weights.U.shape}; expected "
            f"one network with {len(letters)} inputs and outputs, as letters is {letters!r}"
        )
    tokens = np.array([letters.index(letter) for letter in word])
    run = rnn_forward(params, tokens[:-1])
    _few({"word": len(tokens) - 1, "h": run.h.shape[-1], "letters": len(letters)})
    one_hot = np.eye(len(letters))[tokens[:-1]]
    with style():
        figure = _draw_spelling(one_hot, run, tokens[1:], word, letters)
        said = [
            f"after {read} comes {after} with probability {number(yhat[token])}"
            for read, after, yhat, token in zip(word, word[1:], run.yhat, tokens[1:], strict=False)
        ]
        alt = (
            f"A recurrent network with {run.h.shape[-1]} units reads {', '.join(word[:-1])}, each "
            f"as a one-hot vector: {enumerated(said, '; ')}."
        )
        return Plot(figure, alt)


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


def _few(sizes):
    for name, size in sizes.items():
        if size > _MOST:
            raise ValueError(f"{name} has {size} entries; at most {_MOST} can be drawn as numbers")


def _named(argument, names, n):
    if names is None:
        return [str(i + 1) for i in range(n)]
    names = as_list(argument, names)
    if len(names) != n:
        raise ValueError(f"{argument} has {len(names)} names; expected {n}")
    return [str(name) for name in names]


def _math(name, below=None, above=None):
    below = "" if below is None else rf"_{{\mathrm{{{below}}}}}"
    return f"${_NAMES.get(name, name)}{below}{'' if above is None else f'^{{({above})}}'}$"


def _ledger(kind, index, weights, values, nonlinearity, inputs, outputs):
    """Rows (name, arithmetic, colour, result) of the sum behind a number; the last is the total."""
    to = outputs[index] if kind in "oy" else index + 1
    result = values[kind][index]
    if kind in "ao":
        bias, terms = {
            "a": ("b", [("W", "hPrev", "state"), ("U", "x", "input")]),
            "o": ("c", [("V", "h", "state")]),
        }[kind]
        rows = [(_math(bias, to), "", "parameter", getattr(weights, bias)[index])]
        for matrix, vector, meaning in terms:
            row = getattr(weights, matrix)[index]
            for j, (weight, value) in enumerate(zip(row, values[vector], strict=True)):
                below = inputs[j] if vector == "x" else j + 1
                if vector == "x" and value == 0:
                    continue
                label = f"{_math(matrix, f'{to},{below}')}{_math(vector[0], below)}"
                rows.append((label, f"{weight:.3g} × {value:.3f}", meaning, weight * value))
        idle = int(np.sum(values["x"] == 0)) if kind == "a" else 0
        if idle:
            rows.append((f"other {_math('x')}", "weights × 0", "muted", 0.0))
        last = "the sum"
    elif kind == "h":
        rows = [(_math("a", to), "from below", "state", values["a"][index])]
        last = f"{nonlinearity}({values['a'][index]:.3f})"
    else:
        powers = np.exp(values["o"])
        rows = [
            (f"exp {_math('o', name)}", f"exp({o:.3f})", "output", power)
            for name, o, power in zip(outputs, values["o"], powers, strict=True)
        ]
        rows.append(("sum", "of all", "ink", powers.sum()))
        last = f"{powers[index]:.3f} / {powers.sum():.3f}"
    return [*rows, (_math(kind, to), last, "ink", result)]


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
            sheet.text(at, _math(name, above="t"), meaning, size=13, align="left")
    previous = _math("h", above="t-1")
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


# ---- a run


def _draw_spelling(one_hot, run, targets, word, letters):
    pitch, half, gap = 1.0, 0.31, 0.27
    columns = 0.75 + pitch * (np.arange(len(run.h)) + 0.5)
    layers = {
        "x": (one_hot, "input", "U"),
        "h": (run.h, "state", "V"),
        r"\hat{y}": (run.yhat, "output", None),
    }
    middle, high, top = {}, {}, 0.36
    for name, (values, _, _) in layers.items():
        high[name] = values.shape[-1] * LINE + 0.12
        middle[name] = top + high[name] / 2
        top += high[name] + gap
    sheet = Sheet(columns[-1] + half + 0.3, top - gap + 0.1)
    for name, (values, meaning, above) in layers.items():
        sheet.text((0.05, middle[name]), f"${name}$", meaning, align="left", size=13)
        if meaning != "state":
            for i, letter in enumerate(letters):
                at = (0.55, middle[name] + row(i, len(letters)))
                sheet.text(at, letter, meaning, align="right")
        for column, numbers in zip(columns, values, strict=True):
            lines = [signed(value, 0 if meaning == "input" else 1) for value in numbers]
            at = (column, middle[name])
            sheet.box(at, lines, meaning, half, high[name], round_=meaning == "state")
            if above:
                foot = middle[name] + high[name] / 2
                sheet.arrow((column, foot), (column, foot + gap))
                sheet.text((column + 0.13, foot + gap / 2), f"${above}$", "muted")
    for before, after in pairwise(columns):
        sheet.arrow((before + half, middle["h"]), (after - half, middle["h"]))
        sheet.text(((before + after) / 2, middle["h"] + 0.14), "$W$", "muted")
    for column, read, target in zip(columns, word, targets, strict=False):
        sheet.text((column, 0.16), read, "input", weight="bold")
        at = (column + half + 0.1, middle[r"\hat{y}"] + row(target, len(letters)))
        sheet.axes.plot(*at, marker="D", color=colour("target"), markersize=5)
    return sheet.figure


def _state_gradients(weights, run, y, scored, recursion):
    """Gradients on outputs, on states from their outputs, and on states in all, (10.18)-(10.21)."""
    grad_o = grad_output(run.yhat, y, scored[:, None])
    own = grad_last_state(weights.V, grad_o)
    slope = NONLINEARITIES[run.nonlinearity].slope(run.h)
    grad_h = own.copy()
    for t in range(len(own) - 2, -1, -1):
        grad_h[t] = recursion(weights.W, grad_h[t + 1], slope[t + 1], own[t])
    return grad_o, own, grad_h


def _draw_run(run, y, scored, loss, gradients, shares, back_to, words, outputs):
    grad_o, own, grad_h = gradients
    T = len(run.h)
    pitch, half, tile = 0.98, 0.35, 0.66
    columns = 0.6 + pitch * (np.arange(T + 1) + 0.5)
    rows = {"L": 1, "o": run.o.shape[-1], "h": run.h.shape[-1], "x": 1}
    high = {name: n * LINE + 0.12 for name, n in rows.items()}
    y_tile = tile / 2 + 0.1
    middle, y0 = {}, y_tile + tile / 2 + 0.36
    for name in reversed(rows):
        middle[name] = y0 + high[name] / 2
        y0 += high[name] + 0.27
    sheet = Sheet(columns[-1] + pitch / 2 + 0.1, y0 + 0.1)

    def up(t, start, end, gradient=None):
        ends = [middle[start] + high[start] / 2, middle[end] - high[end] / 2]
        sheet.arrow(*((columns[t], y) for y in ends), gradient)

    for t in range(T):
        came, left = t + 1 >= back_to, t + 1 > back_to
        h_edge = [
            (columns[t - 1] + half if t else 0.45, middle["h"]),
            (columns[t] - half, middle["h"]),
        ]
        sheet.arrow(*h_edge, grad_h[t - 1] - own[t - 1] if left and t else None)
        up(t, "x", "h")
        sheet.box((columns[t], middle["x"]), [words[t]], "input", half, high["x"])
        numbers, meaning = (grad_h[t], "gradient") if came else (run.h[t], "state")
        sheet.box((columns[t], middle["h"]), numbers, meaning, half, high["h"], round_=True)
        if not scored[t]:
            continue
        up(t, "h", "o", own[t] if came else None)
        up(t, "o", "L", grad_o[t] if came else None)
        numbers, meaning = (grad_o[t], "gradient") if came else (run.yhat[t], "output")
        sheet.box((columns[t], middle["o"]), numbers, meaning, half, high["o"])
        target = (columns[t] + half + 0.08, middle["o"] + row(y[t], rows["o"]))
        sheet.axes.plot(*target, marker="D", color=colour("target"), markersize=5)
        sheet.box((columns[t], middle["L"]), [loss[t]], "loss", half, high["L"])
    sheet.box((columns[T], middle["L"]), [loss.sum()], "loss", half, high["L"], strong=True)
    sheet.text((columns[T], middle["L"] - 0.32), "total", "loss")

    reached = shares[back_to - 1 :]
    limit = max(np.abs(shares).max(), np.abs(shares.sum(axis=0)).max(), 1e-300)
    for t in range(T):
        share = shares[t] if t + 1 >= back_to else None
        sheet.tile((columns[t], y_tile), tile, share, limit)
        sign = "=" if t == T - 1 else "+"
        sheet.text(((columns[t] + columns[t + 1]) / 2, y_tile), sign, "muted", size=13)
    sheet.tile((columns[T], y_tile), tile, reached.sum(axis=0) if len(reached) else None, limit)
    sheet.text((columns[T], y_tile + tile / 2 + 0.13), "sum", "gradient")

    sheet.text((0.05, middle["L"]), "$L$", "loss", align="left", size=13)
    sheet.text((0.05, middle["x"]), "$x$", "input", align="left", size=13)
    sheet.text((0.05, y_tile), r"$\nabla W$", "gradient", align="left", size=13)
    for i, name in enumerate(outputs):
        meaning = "target" if (y == i).all() else "output"
        sheet.text((0.05, middle["o"] + row(i, rows["o"])), name, meaning, align="left")
    for i in range(rows["h"]):
        at = (0.05, middle["h"] + row(i, rows["h"]))
        sheet.text(at, _math("h", i + 1), "state", align="left", size=13)
    return sheet.figure
