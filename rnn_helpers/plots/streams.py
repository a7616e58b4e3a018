"""The probabilities of short sequences of zeros and ones: as streams, and as ways to fill gaps."""

from collections.abc import Callable
from itertools import product

import numpy as np
from matplotlib.patches import Polygon

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style, subplots, unframed
from rnn_helpers.validate import as_count, as_function, as_list, as_number, brief

_MOST_STEPS, _MOST_BITS, _MOST_GAPS = 4, 6, 3
_GAP = 0.15  # between streams, as a share of the whole
_BEND = (1 - np.cos(np.linspace(0, np.pi, 41))) / 2
_MARK, _CUT = "▸", "…"
_BITS = (0, 1)


def probability_streams(following: Callable, n_steps: int = 3, marked=(), names=_BITS):
    """Draw how the probability of all sequences of zeros and ones splits at every step.

    Parameters
    ----------
    following : callable
        Takes a tuple of bits, and returns the probability that a 1 follows.
    n_steps : int
        1 to 4.
    marked : sequence of tuple of int, optional
        Sequences that stand out. By default, all do.
    names : pair, optional
        Names of the bits 0 and 1, for the streams of the first step.

    Returns
    -------
    Plot
    """
    p = _probabilities(following, as_count("n_steps", n_steps, 1, _MOST_STEPS))
    every = list(product(_BITS, repeat=n_steps))
    marked = [tuple(as_list("marked", one)) for one in as_list("marked", marked)]
    if unknown := [one for one in marked if one not in every]:
        raise ValueError(f"marked has {brief(unknown[0])}; expected sequences of {n_steps} bits")
    names = as_list("names", names)
    if len(names) != len(_BITS):
        raise ValueError(f"names has {len(names)} entries; expected one for 0 and one for 1")
    with style():
        figure, axes = subplots(width=WIDTH, height=0.8 + 0.32 * len(every))
        middle = _middles(p, every)
        for path in sorted(p, key=len):
            if path:
                shown = not marked or any(one[: len(path)] == path for one in marked)
                _draw_stream(axes, path, p, middle, shown, names)
        for one in every:
            shown = not marked or one in marked
            axes.text(
                n_steps + 0.06,
                middle[one],
                f"{' '.join(map(str, one))}  {p[one]:.3f}",
                va="center",
                family="monospace",
                color=colour("ink" if shown else "muted"),
                weight="bold" if marked and shown else "normal",
            )
        bottom = min(middle.values()) - 0.1
        axes.set_xticks(np.arange(n_steps) + 0.55, [f"second {t + 1}" for t in range(n_steps)])
        unframed(axes, xlim=(-0.02, n_steps + 0.95), ylim=(bottom, 0.06), yticks=())
        return Plot(figure, _alt(p, every, marked))


def _probabilities(following, n_steps):
    """Return the probability of every sequence of at most `n_steps` bits."""
    following = as_function("following", following)
    p = {(): 1.0}
    for n in range(n_steps):
        for before in product(_BITS, repeat=n):
            one = as_number("following(…)", following(before), "a probability", _is_probability)
            p |= {(*before, 0): p[before] * (1 - one), (*before, 1): p[before] * one}
    return p


def _is_probability(value):
    return 0 <= value <= 1


def _middles(p, every):
    """Return the height of the middle of each stream: below one another, the first on top."""
    sizes = [p[one] for one in every]
    tops = np.cumsum([0, *sizes[:-1]]) + _GAP * np.arange(len(every))
    middle = {one: -(top + size / 2) for one, top, size in zip(every, tops, sizes, strict=True)}
    for path in sorted(p, key=len, reverse=True):
        if path not in middle:
            middle[path] = np.mean([middle[*path, bit] for bit in _BITS])
    return middle


def _draw_stream(axes, path, p, middle, shown, names):
    before, bit, t = path[:-1], path[-1], len(path)
    # A stream leaves the upper or the lower part of the one that it comes from.
    upper = middle[before] + p[before] / 2 - (p[*before, 0] if bit else 0)
    start, end = upper - p[path] / 2, middle[path]
    line = start + (end - start) * _BEND
    x = t - 1 + np.linspace(0, 1, len(_BEND))
    half = max(p[path], 0.01) / 2
    outline = np.concatenate([[x, line + half], [x[::-1], line[::-1] - half]], axis=1).T
    fill = colour("output" if bit else "input") if shown else colour("grid")
    axes.add_patch(Polygon(outline, color=fill, alpha=(0.75 if bit else 0.3) if shown else 1, lw=0))
    at = int((0.5 if t == 1 else 0.62) * len(x))
    factor = f"{p[path] / p[before]:.2g}" if p[before] else "–"
    axes.text(
        x[at],
        line[at],
        f"{names[bit]}: {factor}" if t == 1 else factor,
        **{"ha": "center", "va": "center", "size": 10},
        color=colour("ink" if shown else "muted"),
        bbox={"boxstyle": "round,pad=0.12", "facecolor": colour("paper"), "lw": 0},
    )


def _alt(p, every, marked):
    def listed(some):
        return ", ".join(f"{' '.join(map(str, one))} with {p[one]:.3f}" for one in some)

    first = f"A stream of width 1 splits at every step, into 0 with {p[0,]:.1f} and 1 with "
    words = f"{first}{p[1,]:.1f} at the first. After {len(every[0])} steps there are "
    words += f"{len(every)} streams: {listed(every)}."
    return words + (f" These stand out: {listed(marked)}." if marked else "")


def gap_orders(following: Callable, known, filled):
    """Draw how gaps are filled at the end of a sequence, and in any order.

    The upper rows belong to a network that fills in the middle: it receives both sides first, and
    then fills the gaps from left to right. The lower rows belong to masked diffusion, which here
    begins with the last gap. A number in a gap is the probability of a 1, given all known bits.

    Parameters
    ----------
    following : callable
        Takes a tuple of bits, and returns the probability that a 1 follows.
    known : sequence of int or None
        At most 6 bits, with None in 1 to 3 neighboring gaps, which are neither first nor last.
    filled : sequence of int
        The bits with those drawn in the gaps.

    Returns
    -------
    Plot
    """
    known, filled = tuple(as_list("known", known)), tuple(as_list("filled", filled))
    gaps = [i for i, bit in enumerate(known) if bit is None]
    inside = gaps and gaps[0] > 0 and gaps[-1] < len(known) - 1
    if not inside or len(gaps) > _MOST_GAPS or gaps != list(range(gaps[0], gaps[-1] + 1)):
        raise ValueError(f"known is {brief(known)}; expected 1 to {_MOST_GAPS} gaps in the middle")
    bits = set(filled) <= set(_BITS) and len(filled) == len(known) <= _MOST_BITS
    if not bits or not _fits(filled, known):
        raise ValueError(f"filled is {brief(filled)}; expected bits that fit known, {brief(known)}")
    p = _probabilities(following, len(known))
    if not p[filled]:
        raise ValueError(f"filled is {brief(filled)}; expected bits with a probability above 0")
    middle, diffusion = (_filling(p, known, filled, order) for order in (gaps, gaps[::-1]))
    blocks = {
        "": ([_in_place(known, known)], ["what is known"]),
        "fill-in-the-middle: the gap comes last": (
            [_behind(known, gaps, row) for row in middle.rows],
            _notes(gaps, filled, middle),
        ),
        "masked diffusion: the gaps in any order": (
            [_in_place(row, known) for row in diffusion.rows],
            _notes(gaps[::-1], filled, diffusion),
        ),
    }
    with style():
        figure, axes = subplots(width=WIDTH, height=1.1 + 0.31 * (3 + 2 * len(gaps)))
        y = 0.0
        for title, (rows, notes) in blocks.items():
            if title:
                axes.text(-0.42, y - 0.6, title, weight="bold", va="center")
                y -= 1.7
            for row, note in zip(rows, notes, strict=True):
                for x, (value, kind) in enumerate(row):
                    _draw_cell(axes, x, y, value, kind)
                axes.text(len(known) + 1.9, y, note, va="center", size=10)
                y -= 1
        unframed(axes, xlim=(-0.5, len(known) + 7.6), ylim=(y + 0.4, 0.5), xticks=(), yticks=())
        return Plot(figure, _orders_alt(known, filled, middle, diffusion))


class _Filling:
    """The rows of one order: a bit, or the probability of a 1 in a gap, or None."""

    def __init__(self):
        self.rows, self.factors, self.ones = [], [], []


def _filling(p, known, filled, order):
    made, now = _Filling(), list(known)
    for gap in order:
        ones = {i: _one(p, now, i) for i in order if now[i] is None}
        made.rows.append([ones.get(i, bit) for i, bit in enumerate(now)])
        made.ones.append(ones[gap])
        now[gap] = filled[gap]
        made.factors.append(ones[gap] if now[gap] else 1 - ones[gap])
    made.rows.append(now)
    return made


def _one(p, known, place):
    """Return the probability of a 1 at a place, given all known bits."""
    ways = [way for way in p if len(way) == len(known) and _fits(way, known)]
    return sum(p[way] for way in ways if way[place]) / sum(p[way] for way in ways)


def _fits(way, known):
    return all(b in (None, a) for a, b in zip(way, known, strict=True))


def _kind(value, known):
    if known is not None:
        return "known"
    return "drawn" if isinstance(value, int) else "open"


def _in_place(row, known):
    return [(value, _kind(value, bit)) for value, bit in zip(row, known, strict=True)]


def _behind(known, gaps, row):
    """Return the cells of a row with the gap at its end, where only one number is predicted."""
    sides = [(bit, "known") for bit in known[: gaps[0]]]
    sides += [(_CUT, "mark"), *((bit, "known") for bit in known[gaps[-1] + 1 :]), (_MARK, "mark")]
    values = [row[i] for i in gaps]
    first_open = next((i for i, v in enumerate(values) if isinstance(v, float)), len(values) - 1)
    return sides + [(value, _kind(value, None)) for value in values[: first_open + 1]]


def _notes(order, filled, made):
    """Return what a network does in each row, and the product of its factors at the end."""
    drawn = [f"draws {filled[gap]}" for gap in order]
    factors = " · ".join(f"{p:.3f}" for p in made.factors)
    first = "predicts the first gap" if order == sorted(order) else "predicts every gap"
    again = [f"{each}, predicts again" for each in drawn[:-1]]
    return [first, *again, f"{drawn[-1]}: {factors} = {np.prod(made.factors):.3f}"]


def _draw_cell(axes, x, y, value, kind):
    if kind == "mark":
        axes.text(x, y, value, ha="center", va="center", color=colour("muted"))
        return
    look = {"known": "input", "open": "edge", "drawn": "output"}[kind]
    axes.text(
        x,
        y,
        "?" if value is None else f"{value:.2f}" if kind == "open" else value,
        **{"ha": "center", "va": "center"},
        size=10 if isinstance(value, float) else 11,
        color=colour("ink" if kind == "open" else look),
        weight="bold" if kind == "drawn" else "normal",
    )
    axes.add_patch(
        Polygon(
            [(x - 0.42, y - 0.4), (x + 0.42, y - 0.4), (x + 0.42, y + 0.4), (x - 0.42, y + 0.4)],
            fill=False,
            edgecolor=colour(look),
            linestyle="--" if kind == "open" else "-",
            linewidth=1.6 if kind == "drawn" else 1,
        )
    )


def _orders_alt(known, filled, middle, diffusion):
    def told(made):
        ones = ", then ".join(f"{one:.2f}" for one in made.ones)
        return f"{ones}, and the factors of the bits drawn multiply to {np.prod(made.factors):.3f}"

    shown = " ".join("?" if bit is None else str(bit) for bit in known)
    whole = " ".join(map(str, filled))
    return (
        f"Two ways to fill the gaps of {shown}; both draw {whole}. Fill-in-the-middle receives "
        f"both sides and a mark, then predicts the gaps from left to right: a 1 has probability "
        f"{told(middle)}. Masked diffusion predicts every gap, fills the last one, and predicts "
        f"again: a 1 has probability {told(diffusion)}."
    )
