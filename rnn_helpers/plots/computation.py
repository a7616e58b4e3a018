"""A short run with all its numbers: reading a word, and back-propagation through time."""

from itertools import pairwise

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style
from rnn_helpers.plots.sheet import LINE, Sheet, check_few, names_of, row, signed, symbol
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.reference.bptt import (
    grad_last_state,
    grad_output,
    grad_state,
    rnn_backward,
)
from rnn_helpers.reference.rnn import NONLINEARITIES, rnn_forward, step_loss
from rnn_helpers.validate import as_count, as_kind, as_params


def bptt_numbers(params, x, y, mask=None, *, back_to=1, words=None, outputs=None):
    """Draw a short run with its numbers, and the gradient on its way back through time.

    A state that the gradient has reached shows its gradient; the others show their values. Below
    them are the shares of the copies ``W^(t)`` and their sum. The area of a square is the size of
    an entry, and hollow squares are negative.

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
    back_to : int, optional
        The step that the gradient has reached: 1 is the first; T + 1 shows only the forward run.
        With None, nothing has been computed yet, and the boxes are empty.
    words : sequence of T str, optional
        The input of each step; by default the steps are numbered.
    outputs : sequence of n_y str, optional
        Names of the outputs; by default they are numbered from 1.

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
    check_few({"T": T, "h": run.h.shape[-1], "o": run.o.shape[-1]})
    if back_to is not None and as_count("back_to", back_to) > T + 1:
        raise ValueError(f"back_to is {back_to}; expected a step from 1 to T + 1 = {T + 1}")
    shares = rnn_backward(params, run, y, mask, per_step=True)
    scored = np.ones(T, bool) if mask is None else np.asarray(mask).astype(bool)
    y = np.asarray(y)
    gradients = _state_gradients(weights, run, y, scored)
    loss = np.where(scored, step_loss(run.log_yhat, y), 0)
    words, outputs = names_of("words", words, T), names_of("outputs", outputs, run.o.shape[-1])
    sizes = np.linalg.norm(gradients[-1], axis=-1)
    with style():
        figure = _draw_run(run, y, scored, loss, gradients, shares["W"], back_to, words, outputs)
        alt = f"A recurrent network unfolded over {', '.join(words)}. "
        if back_to is None:
            return Plot(figure, alt + "Nothing has been computed yet.")
        alt += f"The loss is {number(loss.sum())}. "
        if back_to <= T:
            came = [f"{number(sizes[t])} at h^({t + 1})" for t in reversed(range(back_to - 1, T))]
            alt += "On its way back, the gradient has norm " + enumerated(came) + "."
        return Plot(figure, alt)


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
    check_few({"word": len(tokens) - 1, "h": run.h.shape[-1], "letters": len(letters)})
    one_hot = np.eye(len(letters))[tokens[:-1]]
    with style():
        figure = _draw_spelling(one_hot, run, tokens[1:], word, letters)
        parts = [
            f"after {read} comes {after} with probability {number(yhat[token])}"
            for read, after, yhat, token in zip(word, word[1:], run.yhat, tokens[1:], strict=False)
        ]
        alt = (
            f"A recurrent network with {run.h.shape[-1]} units reads {', '.join(word[:-1])}, each "
            f"as a one-hot vector: {enumerated(parts, '; ')}."
        )
        return Plot(figure, alt)


def _state_gradients(weights, run, y, scored):
    """Return gradients on outputs, on states from outputs, and on states, (G 10.18)-(G 10.21)."""
    grad_o = grad_output(run.yhat, y, scored[:, None])
    own = grad_last_state(weights.V, grad_o)
    slope = NONLINEARITIES[run.nonlinearity].slope(run.h)
    grad_h = own.copy()
    for t in range(len(own) - 2, -1, -1):
        grad_h[t] = grad_state(weights.W, grad_h[t + 1], slope[t + 1], own[t])
    return grad_o, own, grad_h


def _draw_run(run, y, scored, loss, gradients, shares, back_to, words, outputs):
    grad_o, own, grad_h = gradients
    T = len(run.h)
    empty, back_to = back_to is None, back_to or T + 1
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
        numbers = [] if empty else numbers
        sheet.box((columns[t], middle["h"]), numbers, meaning, half, high["h"], round_=True)
        if not scored[t]:
            continue
        up(t, "h", "o", own[t] if came else None)
        up(t, "o", "L", grad_o[t] if came else None)
        numbers, meaning = (grad_o[t], "gradient") if came else (run.yhat[t], "output")
        numbers = [] if empty else numbers
        sheet.box((columns[t], middle["o"]), numbers, meaning, half, high["o"])
        target = (columns[t] + half + 0.08, middle["o"] + row(y[t], rows["o"]))
        sheet.axes.plot(*target, marker="D", color=colour("target"), markersize=5)
        sheet.box((columns[t], middle["L"]), [loss[t]][empty:], "loss", half, high["L"])
    total = [loss.sum()][empty:]
    sheet.box((columns[T], middle["L"]), total, "loss", half, high["L"], strong=True)
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
        sheet.text(at, symbol("h", i + 1), "state", align="left", size=13)
    return sheet.figure


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
