"""Features as states of an automaton and as units of a network: what each costs."""

from matplotlib.ticker import FixedLocator, FuncFormatter

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import BAND, DASHES, logarithmic
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_real, as_rows

_LOOKS = [
    {"color": colour(ink), "marker": marker, "linestyle": DASHES[dash]}
    for ink, marker, dash in (("ink", "o", 0), ("muted", "^", 2), ("accent", "s", 1))
]
_NAMES = {"n-gram": "best n-gram"}  # of another order, it may have fewer numbers


def features_states(rows):
    """Draw what each model lacks of the best, and how much it has to learn, by kinds of brackets.

    Parameters
    ----------
    rows : sequence of dict
        Each with ``kinds``, ``model``, ``excess``, ``low``, ``high`` and ``parameters``, as those
        of the experiment ``features-states``; at most three models. Numbers to draw are above 0.

    Returns
    -------
    Plot
        Both on logarithmic scales; the bands are 95 % intervals.

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or one of them no numbers.
    ValueError
        If there are no rows, a key is missing, a number is not above 0, or there are more than
        three models.
    """
    drawn = ("kinds", "excess", "low", "high", "parameters")
    rows = as_rows(rows, ("model", *drawn))
    for key in drawn:
        if not (as_real(f"rows[{key!r}]", [row[key] for row in rows]) > 0).all():
            raise ValueError(f"rows[{key!r}] holds a number that is not above 0")
    models = list(dict.fromkeys(row["model"] for row in rows))
    if len(models) > len(_LOOKS):
        raise ValueError(f"rows have {len(models)} models; expected at most {len(_LOOKS)}")
    told = []
    with style():
        figure, (left, right) = subplots(1, 2, height=3.4)
        for model, look in zip(models, _LOOKS, strict=False):
            mine = sorted((r for r in rows if r["model"] == model), key=lambda row: row["kinds"])
            kinds, excess, low, high, learned = ([row[key] for row in mine] for key in drawn)
            left.fill_between(kinds, low, high, color=look["color"], alpha=BAND, linewidth=0)
            left.plot(kinds, excess, **look, label=_NAMES.get(model, model))
            right.plot(kinds, learned, **look)
            each = zip(kinds, excess, learned, strict=True)
            told.append(
                f"{model}: " + "; ".join(f"{number(e)} and {n:g} at {k:g}" for k, e, n in each)
            )
        left.set_title("bits a symbol above the least")
        right.set_title("numbers to learn")
        for axes in (left, right):
            logarithmic(axes, "y")
            axes.xaxis.set_major_locator(FixedLocator(sorted({row["kinds"] for row in rows})))
        left.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
        figure.supxlabel("kinds of brackets", size=11)
        named = left.get_legend_handles_labels()
        figure.legend(*named, loc="outside upper left", ncols=len(models))
        return Plot(
            figure,
            "Bits a symbol above the least, and numbers to learn, by kinds of brackets. "
            f"{'. '.join(told)}.",
        )
