"""Whether a small change grows: two runs of a linear map, and a network that tanh bounds."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import legend, name_rule, rule, whole
from rnn_helpers.plots.plot import Plot, as_step, style, subplots
from rnn_helpers.plots.words import counted, number
from rnn_helpers.reference import power_norms, separation, state_jacobians, widest_perturbation
from rnn_helpers.reference.rnn import Run
from rnn_helpers.validate import as_count, as_initial_state, as_kind, as_square

_FLOOR = 1e-2  # separations below are not drawn
_MOST = {"color": colour("parameter"), "marker": "s"}
_ALONG = {"color": colour("accent"), "marker": "D", "linestyle": (0, (4, 2))}


def separations(J, v, n=3, T=30, *, backward=False):
    """Draw how far two runs of a linear map come apart that start apart by `v`.

    On a logarithmic axis, their distance, the widest that a start as far away could have led to,
    and that along the eigenvector of the largest ``|lambda|``. For a matrix of two rows, beside it,
    the second run as seen from the first: the circle of all such starts, what `n` steps have made
    of it, and where the three directions have gone.

    Parameters
    ----------
    J : array_like, shape (n_h, n_h)
        Jacobian of every step.
    v : array_like, shape (n_h,)
        Difference of the two starts; not 0.
    n : int
        Step that is marked, from 0 to `T`.
    T : int
        Number of steps, at least 1.
    backward : bool
        Whether gradients are sent back, through ``J^T``.

    Returns
    -------
    Plot
        Distances are relative to that at the start.
    """
    J = as_square("J", J).astype(float)
    v = as_initial_state("v", v, J.shape[-1:], J.dtype)
    n, T = as_count("n", n, 0), as_count("T", T)
    if n > T:
        raise ValueError(f"n is {n}; expected a step from 0 to T = {T}")
    if not v.any():
        raise ValueError("v is 0; expected two starts that differ")
    v = v / np.linalg.norm(v)
    apart = separation(J, v, T, backward=backward)
    step = J.mT if backward else J
    values, vectors = np.linalg.eig(step)
    first = np.abs(values).argmax()
    along = np.abs(values[first]) ** np.arange(T + 1)
    most = power_norms(J, T)
    run = colour("gradient" if backward else "state")
    curves = [
        ("this $v$", apart, {"color": run, "marker": "o", "linewidth": 2.4}),
        ("widest", most, _MOST),
        (r"$|\lambda|^n$", along, _ALONG),
    ]
    with style():
        flat = len(J) == 2
        figure, axes = subplots(1, 1 + flat, width=6.4, height=3.2,
                                **({"width_ratios": (1, 1.7)} if flat else {}))  # fmt: skip
        chart = axes[1] if flat else axes
        if flat:
            q = None if np.iscomplexobj(vectors) else vectors[:, first]
            top = widest_perturbation(J, n, backward=backward)[0] if n else None
            _plane(axes[0], np.linalg.matrix_power(step, n), v, q, top, run)
            axes[0].set_title(f"{counted(n, 'step')} {'back' if backward else 'on'}")
        steps = np.arange(T + 1)
        for name, sizes, look in curves:
            chart.plot(steps, sizes, label=name, markevery=[n], **look)
        chart.axhline(1, color=colour("edge"), linewidth=1, linestyle=(0, (4, 2)))
        top = 10 ** np.ceil(np.log10(max(10, most.max())) - 1e-9)
        chart.set(yscale="log", ylim=(_FLOOR, top), xlim=(0, T), xlabel="step $n$")
        chart.set_title("distance, 1 at the start")
        chart.xaxis.set_major_locator(whole())
        chart.minorticks_off()
        chart.axvline(n, color=colour("accent"), linewidth=1)
        legend(figure, *chart.get_legend_handles_labels())
        return Plot(figure, _alt(apart, most, along, n, backward))


def _plane(axes, power, v, q, top, run):
    angles = np.linspace(0, 2 * np.pi, 145)
    circle = np.array([np.cos(angles), np.sin(angles)])
    axes.plot(*circle, color=colour("edge"), linewidth=1.1, linestyle=(0, (4, 2)))
    axes.fill(*(power @ circle), color=colour("parameter"), alpha=0.12, linewidth=0)
    axes.plot(*(power @ circle), color=colour("parameter"), linewidth=1.2)
    for direction, look in ((top, _MOST), (q, _ALONG)):
        if direction is not None:
            end = power @ direction
            axes.plot(*np.transpose([-end, end]), markersize=6, **look)
    end = power @ v
    axes.plot([0, end[0]], [0, end[1]], color=run, linewidth=2.2)
    axes.plot(*end, "o", color=run, markersize=7)
    axes.plot(0, 0, "o", color=run, markerfacecolor=colour("paper"), markersize=6)
    reach = 1.1 * max(1, np.abs(power @ circle).max())
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    axes.grid(False)
    axes.spines[:].set_visible(False)


def _alt(apart, most, along, n, backward):
    what = "gradients sent back" if backward else "states"
    peak = int(most.argmax())
    above = np.flatnonzero(most > 1 + 1e-9)
    calm = int(above[-1]) + 1 if len(above) else 0
    words = (
        f"Two {what} start a distance of 1 apart. After {n} steps they are {number(apart[n])} "
        f"apart; the widest possible is {number(most[n])}, and the power of the largest "
        f"eigenvalue, as along its eigenvector, {number(along[n])}. The widest over "
        f"{len(most) - 1} steps is {number(most[peak])}, at step {peak}"
    )
    return words + (f", and below 1 from step {calm} on." if 0 < calm < len(most) else ".")


def change_growth(params, run, *, at=None):
    """Draw the length of the state, and by how much a small change of the start has grown.

    The growth is ``||dh^(t)/dh^(0)||_2``, for the change that grows most; a gradient sent back from
    step `t` to the start grows by as much at most.

    Parameters
    ----------
    params : mapping
        The parameters that made the run, of one network.
    run : Run
        What `rnn_forward` returned for one sequence; its first state is not 0.
    at : int, optional
        A step from 0 to T to mark.

    Returns
    -------
    Plot
        Where a size is 0, the curve ends.

    Raises
    ------
    ValueError
        If `run` is not of one sequence and one network.
    """
    as_kind("run", run, Run, "what rnn_forward returns")
    if run.states.ndim != 2:
        raise ValueError(f"run has states of shape {run.states.shape}; expected one sequence")
    if not run.states[0].any():
        raise ValueError("run starts at 0; expected a state that has a length")
    jacobians = state_jacobians(params, run)
    T, product = len(jacobians), np.eye(run.states.shape[-1])
    as_step("at", at, T, 0)
    growth = np.ones(T + 1)
    for t, jacobian in enumerate(jacobians, 1):
        product = jacobian @ product
        growth[t] = np.linalg.norm(product, 2)
    lengths = np.linalg.norm(run.states, axis=-1)
    bound = run.states.shape[-1] ** 0.5
    with style():
        figure, axes = subplots()
        steps = np.arange(T + 1)
        marked = {"markevery": [] if at is None else [at]}
        gone = [np.where(sizes > 0, sizes, np.nan) for sizes in (growth, lengths)]
        axes.plot(steps, gone[0], color=colour("gradient"), marker="v", linestyle=(0, (5, 2)),
                  label=r"growth of a small change, $\Vert\partial h^{(t)}/\partial h^{(0)}\Vert$",
                  **marked)  # fmt: skip
        axes.plot(steps, gone[1], color=colour("state"), marker="o",
                  label=r"length of the state, $\Vert h^{(t)}\Vert$", **marked)  # fmt: skip
        axes.set(yscale="log", xlim=(0, T), xlabel="step $t$")
        axes.minorticks_off()
        axes.xaxis.set_major_locator(whole())
        if run.nonlinearity == "tanh":
            rule(axes, bound)
            name_rule(axes, bound, "no state is longer")
        if at is not None:
            axes.axvline(at, color=colour("accent"), linewidth=1)
        figure.legend(loc="outside upper left")
        at = T if at is None else at
        alt = (
            f"From a start of length {number(lengths[0])}, the state is {number(lengths[at])} long "
            f"at step {at} of {T}, and a small change of the start is up to "
            f"{number(growth[at])} times as large; the longest state is {number(lengths.max())}, "
            f"the largest growth {number(growth.max())}."
        )
        return Plot(figure, alt)
