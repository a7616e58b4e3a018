"""What clipping does to gradients and to their mean, in a plane."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import legend
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.reference.clipping import clip_by_element, clip_by_norm
from rnn_helpers.validate import as_array, as_choice, as_positive, as_real

CLIPS = {"norm": clip_by_norm, "element": clip_by_element}
_MEANS = {
    "true gradient": {"color": colour("ink"), "marker": "o", "linewidth": 2},
    "true gradient, clipped": {
        "color": colour("muted"), "marker": "s", "linestyle": (0, (1, 1.5)), "linewidth": 2,
        "markerfacecolor": "none", "markersize": 11,
    },
    "mean of the clipped": {"color": colour("gradient"), "marker": "D", "linewidth": 3},
}  # fmt: skip


def clipped_means(gradients, threshold, *, kind="norm", counts=None):
    """Draw minibatches' gradients, what clipping makes of each, and three means.

    To the left the gradients, to the right, nearer, the clipped ones with the true gradient (the
    mean), the true gradient clipped, and the mean of the clipped. Against what lies in the shaded
    half, a small step goes up the true loss.

    Parameters
    ----------
    gradients : array_like, shape (n, 2)
        Gradients of minibatches.
    threshold : float
        Largest norm, or largest size of an entry; above 0.
    kind : {"norm", "element"}
        What is clipped: the norm of a gradient, (G 10.48) and (G 10.49), or each entry by itself.
    counts : array_like of int, shape (n,), optional
        How many minibatches have each gradient; by default one.
    """
    g = as_real("gradients", gradients).astype(float)
    if g.ndim != 2 or g.shape[1] != 2 or not len(g):
        raise ValueError(f"gradients has shape {g.shape}; expected (n, 2), n at least 1")
    as_positive("threshold", threshold)
    clip = CLIPS[as_choice("kind", kind, CLIPS)]
    counts = as_array("counts", np.ones(len(g), int) if counts is None else counts)
    if counts.dtype.kind not in "iu":
        raise TypeError(f"counts has dtype {counts.dtype}; expected integers")
    if counts.shape != (len(g),) or counts.min() < 1:
        raise ValueError(f"counts is {counts}; expected {len(g)} integers of at least 1")
    clipped = clip({"g": g}, threshold, seed_axis=True)[0]["g"]
    true, mean = (np.average(rows, axis=0, weights=counts) for rows in (g, clipped))
    ends = true, clip({"g": true}, threshold)[0]["g"], mean
    least = max(np.linalg.norm(ends[1]), np.linalg.norm(mean), 0.1 * threshold)
    reaches = (
        1.2 * max(np.abs(g).max(), threshold),
        1.3 * max(least, min(np.linalg.norm(true), 1.3 * least)),
    )
    with style():
        figure, axes = subplots(1, 2, width=6.4, height=3.6)
        titles = "gradients of minibatches", "clipped, and means"
        for plane, reach, title in zip(axes, reaches, titles, strict=True):
            _ground(plane, reach, true, threshold, kind)
            plane.set_title(title)
        for row, count in zip(g, counts, strict=True):
            _arrow(axes[0], row)
            if count > 1:
                axes[0].annotate(f"{count} times", row, xytext=(2, 8), textcoords="offset points",
                                 color=colour("gradient"), clip_on=True)  # fmt: skip
        for row in clipped:
            _arrow(axes[1], row, alpha=0.6)
        for (name, look), end in zip(_MEANS.items(), ends, strict=True):
            axes[1].plot(*np.transpose([np.zeros(2), end]), label=name, markevery=[1], **look)
        axes[0].plot(*np.transpose([np.zeros(2), true]), markevery=[1],
                     **_MEANS["true gradient"])  # fmt: skip
        legend(figure, *axes[1].get_legend_handles_labels())
        return Plot(figure, _alt(*ends, clipped, counts, threshold, kind))


def _ground(axes, reach, true, threshold, kind):
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.axhline(0, color=colour("grid"), linewidth=0.8, zorder=0)
    axes.axvline(0, color=colour("grid"), linewidth=0.8, zorder=0)
    corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]])
    angles = np.linspace(0, 2 * np.pi, 145)
    rim = corners.T if kind == "element" else np.array([np.cos(angles), np.sin(angles)])
    axes.plot(*(threshold * rim), color=colour("accent"), linewidth=1.4, linestyle=(0, (4, 3)))
    if length := np.linalg.norm(true):
        along = true / length
        across = np.array([-along[1], along[0]])
        far = 3 * reach
        half = [
            across * far,
            -across * far,
            -across * far - along * far,
            across * far - along * far,
        ]
        axes.fill(*np.transpose(half), color=colour("loss"), alpha=0.11, linewidth=0, zorder=0)
        middle = -0.8 * reach * along / np.abs(along).max()
        axes.text(*(middle + 0.5 * reach * across * (abs(along[0]) > 0.5)), "uphill",
                  color=colour("loss"), ha="center", va="center")  # fmt: skip


def _arrow(axes, end, alpha=1):
    if np.any(end):
        axes.annotate("", end, (0, 0), annotation_clip=False, clip_on=True, arrowprops={
            "arrowstyle": "-|>", "color": colour("gradient"), "alpha": alpha, "linewidth": 1.6,
            "shrinkA": 0, "shrinkB": 0,
        })  # fmt: skip


def _alt(true, after, mean, clipped, counts, threshold, kind):
    def vector(end):
        return "({}, {})".format(*map(number, np.where(np.abs(end) < 1e-12, 0, end)))

    def uphill(ends):
        lengths = np.linalg.norm(ends, axis=-1) * np.linalg.norm(true)
        return ends @ true < -1e-9 * lengths

    many = counts[uphill(clipped)].sum()
    words = (
        f"{counts.sum()} gradients of minibatches; their mean, the true gradient, is "
        f"{vector(true)}. Clipped by {kind} at {number(threshold)}, {many} of them "
        f"{'lies' if many == 1 else 'lie'} uphill of it, and their mean is {vector(mean)}"
    )
    lengths = np.linalg.norm(mean) * np.linalg.norm(true)
    if lengths:
        angle = np.rad2deg(np.arctan2(abs(mean[0] * true[1] - mean[1] * true[0]), mean @ true))
        words += f", {angle:.0f} degrees from it" + (": uphill" if uphill(mean) else "")
    return f"{words}. The true gradient clipped is {vector(after)}."
