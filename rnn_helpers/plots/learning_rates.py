"""What networks have learned after so many steps, by learning rate and schedule."""

import numpy as np

from rnn_helpers.plots.curves import BAND, legend, line_looks, logarithmic, name_rule, rule
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.validate import as_real, as_rows

_NAMES = {
    "fixed": "η",
    "clipped": "η, gradient clipped",
    "1/sqrt(t)": "η/√t",
    "1/t": "η/t",
}
_TOP = 1.4  # of what frequencies cost: where the axis ends, above which nothing was learned


def learning_rates(rows):
    """Draw bits a character over the learning rate, a curve for each schedule.

    Parameters
    ----------
    rows : sequence of dict
        A network each, with ``schedule``, ``eta``, ``bits`` and, the same in all, ``unigram``, as
        those of the experiment ``learning-rate``.

    Returns
    -------
    Plot
        Means over the networks, with bands from the least to the largest; a curve that leaves
        through the top has cost far more than frequencies alone.

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or one of them no numbers.
    ValueError
        If there are no rows, a key is missing, or a rate or a number of bits is not above 0.
    """
    rows = as_rows(rows, ("schedule", "eta", "bits", "unigram"))
    for key in ("eta", "bits"):
        values = as_real(f"rows[{key!r}]", [row[key] for row in rows])
        if not (values > 0).all():
            raise ValueError(f"rows[{key!r}] has {values.min():g}; expected numbers above 0")
    found = {}
    for row in rows:
        found.setdefault(row["schedule"], {}).setdefault(row["eta"], []).append(row["bits"])
    unigram = float(as_real("rows['unigram']", rows[0]["unigram"]))
    order = sorted(found, key=lambda name: list({**_NAMES, **found}).index(name))
    told = []
    with style():
        figure, axes = subplots(height=3.4)
        for schedule, look in zip(order, line_looks(None, len(order)), strict=True):
            etas, each = zip(*sorted(found[schedule].items()), strict=True)
            mean = np.array([np.mean(bits) for bits in each])
            low, high = ([end(bits) for bits in each] for end in (min, max))
            name = _NAMES.get(schedule, schedule)
            axes.fill_between(etas, low, high, color=look["color"], alpha=BAND, linewidth=0)
            axes.plot(etas, mean, label=name, **{**look, "marker": "o"})
            least = mean.argmin()
            told.append(
                f"{name}: {number(mean[0])} at {number(etas[0])}, least {number(mean[least])} at "
                f"{number(etas[least])}, {number(mean[-1])} at {number(etas[-1])}"
            )
        axes.set(xlabel="learning rate η", ylabel="bits per held-out character")
        axes.set_ylim((2 - _TOP) * unigram, _TOP * unigram)
        logarithmic(axes, "x")
        rule(axes, unigram)
        legend(figure, *axes.get_legend_handles_labels())
        name_rule(axes, unigram, "frequencies alone")
        return Plot(
            figure,
            f"Bits per held-out character over the learning rate: {enumerated(told, '; ')}. "
            f"Frequencies alone give {number(unigram)}.",
        )
