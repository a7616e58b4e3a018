"""What each figure shows where no script runs, and which states it refuses.

A figure's module gives its ``poster(state)``, a `Plot`, and, if there is a state that its manifest
lets through and that it cannot take, ``check(state, given)``. The figures below have no more than a
poster. A new figure adds its lines to the tables at the end.
"""

import numpy as np

from rnn_helpers.explore import automata, characters
from rnn_helpers.explore.figures import (
    batching,
    bptt,
    cliff,
    clockwork,
    flow,
    gates,
    gru,
    highway,
    lstm,
    mappings,
    predict,
    reservoir,
    sampler,
    sharing,
    step,
    tbptt,
    unfold,
)
from rnn_helpers.explore.states import manifest
from rnn_helpers.explore.weights import arrays
from rnn_helpers.reference import (
    clock_moves,
    drive,
    hidden_state,
    rnn_forward,
    running_average,
    skip_gradient,
    times,
    two_spans,
    two_spans_path,
)


def _jacobian(state):
    from rnn_helpers import plots

    example = manifest()["jacobian"]["example"]
    params = arrays(example["networks"][state["net"]])
    params["W"] *= state["gain"]
    noise = np.random.RandomState(0).standard_normal(example["steps"] - 1)
    run = rnn_forward(params, np.append(1.0, state["noise"] * noise)[:, None])
    return plots.gradient_through_time(
        params, run, params["V"][0] - params["V"][1], at=example["steps"] + 1 - state["back"]
    )


def _latch(state):
    from rnn_helpers import plots

    example, w = manifest()["latch"]["example"], state["w"]
    noise = np.random.RandomState(0).standard_normal((example["runs"], example["steps"])).T
    squash = np.tanh if state["unit"] == "tanh" else np.positive
    h = drive(
        lambda h, x: squash(w * h + x),
        np.full(example["runs"], state["start"]),
        state["noise"] * noise,
    )
    return plots.latch(
        np.array([np.full(example["runs"], state["start"]), *h]),
        w,
        nonlinearity=state["unit"],
        run=state["run"] - 1,
    )


def _compose(state):
    from rnn_helpers import plots

    chance, n = np.random.RandomState(state["seed"]), 100
    W = state["gain"] / np.sqrt(n) * chance.standard_normal((n, n))
    h, direction, projection = (chance.standard_normal(n) for _ in range(3))
    direction, projection = (v / np.linalg.norm(v) for v in (direction, projection))
    half = 60 / state["zoom"]
    centre = np.clip(state["centre"], half - 60, 60 - half)
    x = np.linspace(centre - half, centre + half, 8193)
    h, slopes = h + x[:, None] * direction, np.broadcast_to(direction, (len(x), n))
    for _ in range(state["depth"]):
        h = hidden_state(times(W, h))
        slopes = (1 - h**2) * times(W, slopes)  # dh/dx, by the chain rule
    return plots.composition(
        x, h @ projection, slopes @ projection, xlabel="start, along a random direction"
    )


def _products(state):
    from rnn_helpers import plots

    same, n, v = state["kind"] == "same", state["n"], state["v"]
    width = 1 if same else int(state["kind"])
    shape = (1 if same else n, manifest()["products"]["example"]["samples"][state["kind"]], width)
    normals = np.random.RandomState(state["seed"]).standard_normal(shape)
    factors = np.sqrt(v * np.mean(normals**2, axis=-1))
    t = np.arange(1, n + 1)
    rms = v ** (t / 2)
    if same:
        factors = np.broadcast_to(factors, (n, factors.shape[1]))
        rms = rms * np.cumprod(np.sqrt(2 * t - 1))  # the moments of a Gaussian
    return plots.products(factors, rms)


def _eigen(state):
    from rnn_helpers import plots

    re, im, c = state["re"], state["im"], state["c"]
    W = np.array([[re, c], [0, state["re2"]]])
    if im:
        beta = c / 2 + np.hypot(c / 2, im)
        W = np.array([[re, beta], [-(im**2) / beta, re]])
    angle = np.deg2rad(state["angle"])
    steps = manifest()["eigen"]["controls"]["t"]["max"]
    return plots.eigenvalue_decay(W, [np.cos(angle), np.sin(angle)], steps, t=state["t"])


def _perturb(state):
    from rnn_helpers import plots

    example = manifest()["perturb"]["example"]
    if state["map"] != "tanh":
        angle = np.deg2rad(state["angle"])
        return plots.separations(
            example["matrices"][state["map"]],
            [np.cos(angle), np.sin(angle)],
            state["n"],
            manifest()["perturb"]["controls"]["n"]["max"],
            backward=state["way"] == "backward",
        )
    params = {"W": np.array(example["turning"]), "b": np.zeros(2), "U": np.zeros((2, 1))}
    params |= {"V": np.zeros((1, 2)), "c": np.zeros(1)}
    steps = manifest()["perturb"]["controls"]["t"]["max"]
    run = rnn_forward(params, np.zeros((steps, 1)), [state["start"], 0.0])
    return plots.change_growth(params, run, at=state["t"])


def _scales(state):
    from rnn_helpers import plots

    kind, n, w, p = (state[key] for key in ("kind", "span", "w", "p"))
    k, at = np.arange(n + 1), min(state["back"], n)
    if kind == "leak":
        alpha, other = state["alpha"], state["other"]
        left = running_average(np.append(1.0, np.zeros(n)), [alpha, other])
        names = f"α = {alpha:g}", f"α = {other:g}" + (", too" if alpha == other else "")
        return plots.time_scales(
            dict(zip(names, left.T, strict=True)),
            compare={"best α": (k / (k + 1)) ** k / (k + 1)},
            at=at,
            title="what a value leaves in the unit now",
        )
    if kind == "skip":
        skip, d = state["skip"], state["d"]
        units = {f"with a skip over {d}": skip_gradient(w, skip, d, n), "w alone": w**k}
        arcs = [(i, i + d) for i in range(n - d + 1)]
        return plots.time_scales(
            units, arcs=arcs, one_step=w > 0, compare={"skips alone": skip ** (k / d)}, at=at
        )
    moves = clock_moves([p], manifest()["scales"]["example"]["now"])[::-1, 0][: n + 1]
    ticks = np.append(0, np.cumsum(moves)[:n])
    arcs = [(i, i + p) for i in np.flatnonzero(moves) if i + p <= n]
    units = {f"period {p}": w**ticks, "period 1": w**k}
    return plots.time_scales(units, arcs=arcs, heard=moves, at=at)


def _clip(state):
    from rnn_helpers import plots

    held = [i for i in "1234" if state[f"m{i}"]]
    return plots.clipped_means(
        [[state[f"x{i}"], state[f"y{i}"]] for i in held],
        state["v"],
        kind=state["kind"],
        counts=[state[f"m{i}"] for i in held],
    )


def _curvature(state):
    from rnn_helpers import plots

    names = {
        "descent": "gradient descent",
        "momentum": "momentum",
        "nesterov": "Nesterov",
        "newton": "Newton",
        "gauss_newton": "Gauss–Newton",
    }
    rates = {key: state[key] for key in ("lr", "momentum", "longest")}
    steps = manifest()["curvature"]["example"]["steps"]
    start = [state["w"], state["v"]]
    paths = {
        name: two_spans_path(method, start, state["tau"], steps, **rates)
        for method, name in names.items()
    }
    return plots.curvatures(
        paths,
        lambda theta: two_spans(theta, state["tau"]).loss,
        tau=state["tau"],
        limits=[(-0.1, 1.4), (-0.15, 2.85)],
        divided=["Newton", "Gauss–Newton"],
        at=state["t"],
    )


# name -> function of the complete state, giving the Plot that stands for the figure.
POSTERS = {
    "batching": batching.poster,
    "unfold": unfold.poster,
    "step": step.poster,
    "bptt": bptt.poster,
    "jacobian": _jacobian,
    "latch": _latch,
    "compose": _compose,
    "products": _products,
    "eigen": _eigen,
    "lstm": lstm.poster,
    "gru": gru.poster,
    "highway": highway.poster,
    "gates": gates.poster,
    "scales": _scales,
    "perturb": _perturb,
    "reservoir": reservoir.poster,
    "clockwork": clockwork.poster,
    "curvature": _curvature,
    "clip": _clip,
    "cliff": cliff.poster,
    "flow": flow.poster,
    "mappings": mappings.poster,
    "sharing": sharing.poster,
    "automaton": automata.poster,
    "tbptt": tbptt.poster,
    "sampler": sampler.poster,
    "units": characters.poster,
}


# name -> function of the complete state, giving HTML where words serve better than a picture.
FALLBACKS = {
    "predict": predict.fallback,
}


# name -> function of the complete state and of what was given of it; it raises ValueError for what
# the manifest cannot know.
CHECKS = {
    "automaton": automata.check,
    "unfold": unfold.check,
    "step": step.check,
    "bptt": bptt.check,
    "lstm": lstm.check,
    "gru": gru.check,
    "gates": gates.check,
    "mappings": mappings.check,
    "predict": predict.check,
    "sharing": sharing.check,
    "units": characters.check,
}
