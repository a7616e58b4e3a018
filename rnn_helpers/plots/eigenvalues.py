"""Plot the powers of a matrix: its eigenvalues, sizes over time, and the plane of states."""

import numpy as np
from matplotlib.patches import Circle
from matplotlib.ticker import MaxNLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.reference import power_norms
from rnn_helpers.validate import as_count, as_initial_state, as_square

_FLOOR = 1e-3  # smallest size that is drawn
_PARALLEL = 5e-3  # sine of the angle at which two eigenvectors are drawn as one
_NAMED = 2  # largest number of eigenvalues with labels
_DASHES = ((0, (4, 2)), (0, (1, 1.6)))
_GHOSTS = 8
_WIDTH, _ROW = 6.4, 3.1
_ASPECT = 3.0  # of the plane of the state, width to height
_BLACK = {"color": colour("parameter")}
_STATE = {"color": colour("state")}
_HELD = {"color": colour("accent")}


def eigenvalue_decay(W, h0, T=60, *, t=None):
    """Plot the eigenvalues of a matrix, and the size of ``h^(t) = W h^(t-1)`` over time.

    The left panel shows the eigenvalues and the unit circle. The right panel shows on a logarithmic
    axis the powers ``|lambda_i|^t``, the length of the state, and ``||W^t||_2``, the length of the
    longest state that can come from a start of length 1. For a 2 by 2 matrix, a third panel shows
    the path of the state, the eigenvectors, and the ellipses that the powers of ``W`` make of the
    unit circle.

    Parameters
    ----------
    W : array_like, shape (n, n)
        Matrix that is applied at each step.
    h0 : array_like, shape (n,)
        State ``h^(0)``.
    T : int
        Number of steps, at least 1.
    t : int, optional
        Step to mark; by default the one at which ``||W^t||_2`` is largest.

    Returns
    -------
    Plot
    """
    W = as_square("W", W).astype(float)
    h0 = as_initial_state("h0", h0, W.shape[-1:], W.dtype)
    T = as_count("T", T)
    norms = power_norms(W, T)
    t = int(norms.argmax()) if t is None else as_count("t", t, 0)
    if t > T:
        raise ValueError(f"t is {t}; expected a step from 0 to T = {T}")
    h = np.array([np.linalg.matrix_power(W, k) @ h0 for k in range(T + 1)])
    lengths = np.linalg.norm(h, axis=1)
    eigenvalues, vectors = np.linalg.eig(W)
    order = np.lexsort((-eigenvalues.imag, -np.abs(eigenvalues)))
    eigenvalues, vectors = eigenvalues[order], vectors[:, order]
    flat = len(W) == 2
    with style():
        rows = [["spectrum", "sizes"], ["plane", "plane"]][: 1 + flat]
        figure, _ = subplots(width=_WIDTH, height=_ROW * (1 + 0.75 * flat))
        figure.clear()
        axes = figure.subplot_mosaic(
            rows, width_ratios=(1, 1.75), height_ratios=(1, 0.75)[: 1 + flat]
        )
        _draw_spectrum(axes["spectrum"], eigenvalues)
        _draw_sizes(axes["sizes"], eigenvalues, lengths, norms, t)
        if flat:
            _draw_plane(axes["plane"], W, h, vectors, t)
        return Plot(figure, _alt(eigenvalues, lengths, norms, t))


def _draw_spectrum(axes, eigenvalues):
    axes.set_title("eigenvalues")
    axes.add_patch(Circle((0, 0), 1, facecolor=colour("surface"), edgecolor=colour("edge")))
    _cross(axes)
    few = len(eigenvalues) <= _NAMED
    for i, value in enumerate(eigenvalues):
        marker = "oD"[i] if few else "o"
        axes.plot(value.real, value.imag, marker, markersize=(8 if few else 4) - i * few, **_HELD)
        if few:
            above = value.imag > 0 or (value.imag == 0 and i == 0)
            axes.annotate(
                f"$\\lambda_{i + 1}$",
                (value.real, value.imag),
                (0, 7 if above else -7),
                textcoords="offset points",
                ha="center",
                va="bottom" if above else "top",
                size=13,
                **_HELD,
            )
    reach = 1.08 * max(1.15, np.abs(eigenvalues).max())
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    for at, word, above in (((1, 0), "1", False), ((0, 1), "$i$", True)):
        axes.annotate(
            word,
            at,
            (4, 3 if above else -3),
            textcoords="offset points",
            va="bottom" if above else "top",
            color=colour("muted"),
        )
    _bare(axes)


def _draw_sizes(axes, eigenvalues, lengths, norms, t):
    axes.set_title("size at each step")
    steps = np.arange(len(norms))
    radii = np.abs(eigenvalues)
    paired = len(radii) == 2 and np.iscomplexobj(eigenvalues)
    named = [0] if paired or len(radii) > _NAMED else range(len(radii))
    curves = []
    for i in range(len(radii)) if len(radii) > _NAMED else named:
        powers = radii[i] ** steps
        thin = len(radii) > _NAMED
        look = {"linestyle": _DASHES[0 if thin else i], "linewidth": 0.9 if thin else 1.5, **_HELD}
        axes.plot(steps, powers, alpha=0.5 if thin and i else 1, **look)
        if i in named:
            name = "|\\lambda" + ("|^t" if paired else f"_{i + 1}|^t")
            curves.append((name, powers, _HELD))
    curves += [(r"\Vert h^{(t)}\Vert", lengths, _STATE), (r"\Vert W^t\Vert", norms, _BLACK)]
    axes.fill_between(steps, 1, np.maximum(norms, 1), color=colour("parameter"), alpha=0.12, lw=0)
    axes.plot(steps, norms, linewidth=1.6, **_BLACK)
    axes.plot(steps, lengths, linewidth=2.2, **_STATE)
    axes.axhline(1, color=colour("edge"), linewidth=1, linestyle=(0, (4, 2)))
    axes.axvline(t, color=colour("accent"), linewidth=1)
    for _, values, look in curves:
        if values[t] >= _FLOOR:
            axes.plot(t, values[t], "o", markersize=5, **look)
    top = 10 ** np.ceil(np.log10(max(10, norms.max(), lengths.max())) - 1e-9)
    axes.set(yscale="log", ylim=(_FLOOR, top), xlim=(0, steps[-1]), xlabel="step $t$")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, steps=[1, 2, 5, 10]))
    axes.minorticks_off()
    _name_ends(axes, curves[::-1])


def _name_ends(axes, curves):
    """Write names at the ends of the curves, or where they leave the axes, without overlaps."""
    low, high = np.log10(axes.get_ylim())
    taken = []
    for name, values, look in curves:
        seen = np.flatnonzero(values >= _FLOOR)
        end = int(seen[-1]) if len(seen) else 0
        leaves = end < len(values) - 1
        height = (np.log10(max(values[end], _FLOOR)) - low) / (high - low) + 0.02 * leaves
        place = np.array([end / (len(values) - 1) if leaves else 1.02, height])
        while any((np.abs(place - other) < (0.17, 0.09)).all() for other in taken):
            place[1] += 0.01 if leaves else -0.01
        taken.append(place)
        axes.text(
            *place,
            f"${name}$",
            transform=axes.transAxes,
            va="bottom" if leaves else "center",
            size=12,
            **look,
        )


def _draw_plane(axes, W, h, vectors, t):
    angles = np.linspace(0, 2 * np.pi, 145)
    circle = np.array([np.cos(angles), np.sin(angles)])
    _cross(axes)
    axes.plot(*circle, color=colour("edge"), linewidth=1.1, linestyle=(0, (4, 2)))
    for k in range(max(1, t - _GHOSTS), t):
        axes.plot(*(np.linalg.matrix_power(W, k) @ circle), linewidth=0.6, alpha=0.3, **_BLACK)
    now = np.linalg.matrix_power(W, t) @ circle
    axes.fill(*now, alpha=0.12, linewidth=0, **_BLACK)
    axes.plot(*now, linewidth=1.2, **_BLACK)
    until = max(t, min(20, len(h) - 1)) + 1
    stretch = np.abs(np.concatenate([circle, now, h[:until].T], axis=1)).max(axis=1)
    for k in range(until):
        stretch = np.maximum(stretch, np.linalg.norm(np.linalg.matrix_power(W, k), axis=1))
    # The plane is as wide as the figure. The direction that needs more room sets the scale.
    scale = 1.12 * max(stretch[0] / _ASPECT, stretch[1])
    reach = np.array([_ASPECT, 1]) * scale
    if not np.iscomplexobj(vectors):
        both = abs(np.linalg.det(vectors)) >= _PARALLEL
        for i in range(1 + both):
            q = vectors[:, i] * (1 if vectors[np.abs(vectors[:, i]).argmax(), i] > 0 else -1)
            far = (reach / np.maximum(np.abs(q), 1e-9)).min()
            axes.plot(*np.transpose([-far * q, far * q]), lw=1, linestyle=_DASHES[i], **_HELD)
            # Put the second name at the other end, where nearly parallel lines are farthest apart.
            side = (1, -1)[i] if abs(q[0]) > abs(q[1]) else 1
            axes.annotate(
                f"$q_{i + 1}$",
                0.97 * far * q * side,
                (0, -5) if i == 0 else (0, 5) if abs(q[0]) > abs(q[1]) else (9, -8),
                textcoords="offset points",
                ha="center",
                va="top" if i == 0 else "bottom" if abs(q[0]) > abs(q[1]) else "top",
                size=12,
                **_HELD,
            )
    inside = (np.abs(h) <= reach).all(axis=1)
    seen = h[: len(h) if inside.all() else int(inside.argmin())]
    axes.plot(*seen.T, marker="o", markersize=2.2, linewidth=1.2, **_STATE)
    axes.annotate("", h[t], (0, 0), arrowprops={"arrowstyle": "-|>", "lw": 1.8, "shrinkA": 0,
                                                "shrinkB": 0, **_STATE})  # fmt: skip
    axes.plot(*h[0], "o", markersize=7, **_STATE)
    for k in {0, t}:
        axes.annotate(
            f"$h^{{({k})}}$",
            h[k],
            (0, 6),
            textcoords="offset points",
            ha="center",
            size=12,
            **_STATE,
        )
    axes.set(xlim=(-reach[0], reach[0]), ylim=(-reach[1], reach[1]), aspect="equal")
    axes.set_title("plane of states")
    _bare(axes)


def _cross(axes):
    for draw in (axes.axhline, axes.axvline):
        draw(0, color=colour("edge"), linewidth=0.7)


def _bare(axes):
    axes.grid(False)
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)


def _complex(value):
    real = number(value.real)
    return (
        f"{real} {'+' if value.imag > 0 else '-'} {number(abs(value.imag))} i"
        if value.imag
        else real
    )


def _alt(eigenvalues, lengths, norms, t):
    radius = np.abs(eigenvalues).max()
    peak = int(norms.argmax())
    above = np.flatnonzero(norms > 1 + 1e-9)
    calm = int(above[-1]) + 1 if len(above) else 0
    T = len(norms) - 1
    words = (
        f"Eigenvalues in the complex plane: {enumerated(map(_complex, eigenvalues))}; the largest "
        f"modulus is {number(radius)}. On a logarithmic axis over {T} steps, the norm of "
        "W^t "
    )
    if calm == 0:
        words += f"is never above 1, and it ends at {number(norms[-1])}"
    else:
        words += f"is largest at step {peak}, where it is {number(norms[peak])}"
        words += f", and it is below 1 from step {calm} on" if calm <= T else ""
    return f"{words}. At step {t} the state has length {number(lengths[t])}."
