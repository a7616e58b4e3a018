"""What is found at places where training never had it: by networks that share weights, and not."""

import textwrap

import numpy as np
from matplotlib.ticker import FixedLocator, PercentFormatter

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import BAND, DASHES
from rnn_helpers.plots.plot import COLOUR_MAPS, Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_array, as_count, as_list, as_real, as_rows

_LOOKS = [
    {"color": colour(ink), "marker": marker, "linestyle": DASHES[dash]}
    for ink, marker, dash in (
        ("muted", "x", 0),
        ("muted", "s", 2),
        ("accent", "D", 1),
        ("state", "o", 0),
        ("ink", "^", 3),
    )
]


def shared_weights(rows):
    """Draw the share of right answers by the place of what is asked for, for each network.

    Parameters
    ----------
    rows : sequence of dict
        Each with ``setting``, ``network`` and ``by_place``, as those of the experiment ``sharing``:
        for each place None, where nothing was asked, or the share of right answers and the bounds
        of its interval. At most three settings and five networks.

    Returns
    -------
    Plot
        A panel for each setting; bands are the intervals.

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or one of them no numbers.
    ValueError
        If there are no rows, too many settings or networks, a key is missing, nothing was asked,
        or a place has not three numbers.
    """
    rows = as_rows(rows, ("setting", "network", "by_place"))
    settings, networks = (
        list(dict.fromkeys(r[key] for r in rows)) for key in ("setting", "network")
    )
    if len(settings) > 3 or len(networks) > len(_LOOKS):
        raise ValueError(
            f"rows have {len(settings)} settings and {len(networks)} networks; expected at most "
            f"3 and {len(_LOOKS)}"
        )
    told = []
    with style():
        figure, grid = subplots(1, len(settings), height=3.4, sharey=True, squeeze=False)
        for axes, setting in zip(grid[0], settings, strict=True):
            said = []
            for row in (row for row in rows if row["setting"] == setting):
                places, shares = _asked(row["by_place"])
                mean, low, high = np.clip(shares, 0, 1).T  # no share lies beyond, nor its mean
                look = _LOOKS[networks.index(row["network"])]
                axes.fill_between(places, low, high, color=look["color"], alpha=BAND, linewidth=0)
                axes.plot(places, mean, **look, markersize=4.5, label=row["network"])
                said.append(f"{row['network']} {number(mean[0])} to {number(mean[-1])}")
            axes.set_title(textwrap.fill(str(setting), 14))
            axes.xaxis.set_major_locator(
                FixedLocator(places if len(places) < 7 else places[[0, *range(4, len(places), 5)]])
            )
            axes.set_ylim(-0.04, 1.04)
            axes.yaxis.set_major_formatter(PercentFormatter(1))
            told.append(f"{setting}, places {places[0]} to {places[-1]}: {', '.join(said)}")
        figure.supxlabel("place of the year", size=11)
        named = grid[0][0].get_legend_handles_labels()
        figure.legend(*named, loc="outside upper left", ncols=3, columnspacing=1.2)
        return Plot(figure, f"Right answers by the place of the year. {'. '.join(told)}.")


def _asked(by_place) -> tuple[np.ndarray, np.ndarray]:
    """Places, from 1, where something was asked, and their share, low and high: (n,), (n, 3)."""
    by_place = as_list("rows['by_place']", by_place)
    places = [place for place, share in enumerate(by_place, 1) if share is not None]
    if not places:
        raise ValueError("rows['by_place'] holds None alone; expected at least one share")
    shares = as_real("rows['by_place']", [by_place[place - 1] for place in places])
    if shares.ndim != 2 or shares.shape[1] != 3:
        raise ValueError(f"rows['by_place'] has shape {shares.shape}; expected (places, 3)")
    return np.array(places), shares


def places_found(found, met, *, of, names, words, said=None, told=None):
    """Draw at which places of a sentence each network finds something, and has met it in training.

    Parameters
    ----------
    found : array_like of int, shape (k, T)
        For each network how many of the things it finds if they stand at a place.
    met : array_like of bool, shape (k, T)
        Whether the weights of a place have met one of them in training.
    of : int
        How many things there are, at least 1.
    names : sequence of str
        Names of the k networks.
    words : sequence of str
        The T words of the sentence.
    said : sequence of str, optional
        What each network says of the sentence.
    told : array_like of bool, shape (T,), optional
        The places at which to say what is found; by default all. What a reader is to predict is
        left out.

    Returns
    -------
    Plot

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If shapes do not fit, or a number is out of range.
    """
    of, met = as_count("of", of), as_array("met", met)
    found = as_real("found", found)
    names, words = as_list("names", names), as_list("words", words)
    said = [""] * len(names) if said is None else as_list("said", said)
    shape = len(names), len(words)
    if found.shape != shape or met.shape != shape or 0 in shape or len(said) != len(names):
        raise ValueError(
            f"found, met and said have shapes {found.shape}, {met.shape} and {(len(said),)}; "
            f"expected {shape} twice, by names and words, and {shape[:1]}"
        )
    if met.dtype != bool or not ((found >= 0) & (found <= of)).all():
        raise ValueError(f"found or met is out of range; expected 0 to {of}, and True or False")
    k, T = shape
    open_ = np.ones(T, bool) if told is None else as_array("told", told)
    if open_.shape != (T,) or open_.dtype != bool:
        raise ValueError(f"told is {told!r:.80}; expected True or False for each of {T} words")
    sayings = [
        f"{name} finds all {of} at "
        + (", ".join(f"{t}" for t in 1 + np.flatnonzero(open_ & (row == of))) or "no place")
        + (f" and says {answer}" if answer else "")
        for name, row, answer in zip(names, found, said, strict=True)
    ]
    with style():
        figure, axes = subplots(height=0.75 * k + 0.9)
        axes.imshow(
            np.where(open_, found / of, np.nan),
            cmap=COLOUR_MAPS["amount", "light"],
            vmin=0,
            vmax=2.2,  # so that a word in ink can be read on the fullest
            aspect="auto",
        )
        for (i, t), share in np.ndenumerate(found):
            words_on = {"ha": "center", "va": "center", "color": colour("ink")}
            if open_[t]:
                axes.text(t, i - 0.15, f"{share:g}/{of}" if T <= 8 else f"{share:g}", **words_on)
            face = colour("parameter") if met[i, t] else "none"
            axes.plot(t, i + 0.27, "o", mfc=face, mec=colour("parameter"), markersize=5)
        axes.set_yticks(
            range(k), [f"{n}\n{s}" if s else n for n, s in zip(names, said, strict=True)]
        )
        angle = 0 if T <= 7 else 60
        axes.set_xticks(range(T), [f"{w}" for w in words], rotation=angle)
        axes.grid(False)
        axes.spines[:].set_visible(False)
        axes.set_title(f"found, of {of}, by place; dot: met there in training", fontsize=10)
        return Plot(figure, f"The sentence: {' '.join(map(str, words))}. {'; '.join(sayings)}.")
