"""What each figure shows where no script runs: a picture by `plots`, or words that fold.

A new figure adds its line to `POSTERS`: a function of the state (a dict of the controls that
``show`` was given; the others are at the manifest's defaults) that returns a `Plot`.
"""

import re

import numpy as np

from rnn_helpers.circuits import FIGURES, Circuit
from rnn_helpers.explore import (
    automata,
    batching,
    blocks,
    characters,
    cliff,
    clockworks,
    counters,
    flow,
    highway,
    mappings,
    predict,
    reservoir,
    sharing,
    writers,
)
from rnn_helpers.explore.cells import held_gates, lstm_arguments
from rnn_helpers.explore.states import manifest
from rnn_helpers.reference import (
    cell_input,
    cell_state,
    cliff_loss,
    clock_moves,
    drive,
    forget_gate,
    gru_state,
    hidden_state,
    input_gate,
    lstm_forward,
    lstm_gradient_through_time,
    reset_gate,
    rnn_forward,
    running_average,
    skip_gradient,
    target_state,
    times,
    two_spans,
    two_spans_path,
    update_gate,
)
from rnn_helpers.tasks import text_features


def complete(name, state):
    """Return a figure's state with the defaults of the controls that it leaves out."""
    controls = manifest()[name]["controls"]
    return {key: spec["default"] for key, spec in controls.items()} | state


def _unfold(state):
    from rnn_helpers import plots

    circuit = state["circuit"]
    circuit = FIGURES[state["pattern"]] if circuit is None else Circuit.from_dict(circuit)
    return plots.unfolded_graph(circuit, state["T"])


def _params(name):
    return {
        key: np.array(value, float) for key, value in manifest()[name]["example"]["params"].items()
    }


def _read(text):
    """Symbols that the figure step reads, w_0 to w_(n-1): the string as typed, after <s>."""
    return ["<s>", *text.strip().removesuffix("</s>")]


def _step(state):
    from rnn_helpers import plots

    symbols = manifest()["step"]["example"]["symbols"]
    params, read = _params("step"), _read(state["text"])
    t = min(state["t"], len(read))
    tokens = np.array([symbols.index(symbol) for symbol in read[:t]])
    run = rnn_forward(params, tokens, nonlinearity=state["squash"])
    return plots.cell_step(
        params,
        tokens[-1],
        run.states[-2],
        node=state["node"],
        symbols=symbols,
        nonlinearity=state["squash"],
    )


def _bptt(state):
    from rnn_helpers import plots

    example, T = manifest()["bptt"]["example"], state["T"]
    tokens = example["sentences"][str(T)]
    kind, t = re.fullmatch(r"(\D+)(\d*)", state["at"]).groups()
    back_to = int(t or (T + 1 if kind == "dL" else 1)) if kind[0] == "d" else T + 1
    return plots.bptt_numbers(
        _params("bptt"),
        tokens,
        [example["target"]] * T,
        [state["loss"] == "every" or i == T - 1 for i in range(T)],
        back_to=back_to,
        words=[example["words"][token] for token in tokens],
        outputs=example["outputs"],
        as_printed=state["recursion"] == "printed",
    )


def _jacobian(state):
    from rnn_helpers import plots

    example = manifest()["jacobian"]["example"]
    params = {key: np.array(value) for key, value in example["networks"][state["net"]].items()}
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


def _held(text):
    """What a hand holds of the figure gru, "2:0.5 5:1", as step -> gate."""
    pairs = (pair.split(":") for pair in text.split())
    return {int(t): float(value) for t, value in pairs}


def _gru(state):
    from rnn_helpers import plots

    p, q = (manifest()["gru"]["example"]["params"][cell] for cell in ("gru", "lstm"))
    x = np.array([{"0": 0.0, "1": 1.0, "-": -1.0}[letter] for letter in state["x"]])
    us, rs, form = _held(state["u"]), _held(state["r"]), state["form"]
    h, s, unit, lstm = 0.0, 0.0, [], []
    for t, now in enumerate(x, start=1):
        u = us.get(t, update_gate(p["bu"], p["Uu"] * now, p["Wu"] * h))
        r = rs.get(t, reset_gate(p["br"], p["Ur"] * now, p["Wr"] * h))
        seen = r * (p["W"] * h + p["bh"]) if form == "after" else p["W"] * r * h + p["bh"]
        squash = "sigmoid" if form == "printed" else "tanh"
        target = target_state(p["b"], p["U"] * now, seen, squash)
        h = gru_state(u, h, target)
        unit.append([u, r, target, h])
        f = forget_gate(q["bf"], q["Uf"] * now, q["Wf"] * s)
        g = input_gate(q["bg"], q["Ug"] * now, q["Wg"] * s)
        s = cell_state(f, s, g, cell_input(q["b"], q["U"] * now, q["W"] * s))
        lstm.append([f, g, s])
    u, r, target, h = np.array(unit, float).T
    if form == "printed":  # the same sequence, each state a step later
        target, h = np.append(0, target[:-1]), np.append(0, h[:-1])
    return plots.gated_updates(
        *(x, u, r, target, h),
        lstm=list(np.array(lstm, float).T),
        printed=form == "printed",
        at=min(state["t"], len(x)),
    )


def _lstm(state):
    from rnn_helpers import plots

    arguments = lstm_arguments(state)
    run = lstm_forward(**arguments)
    _, grad_s = lstm_gradient_through_time(arguments["params"], run, [1.0])
    return plots.lstm_gates(run, grad_s=grad_s[1:, 0], at=state["t"])


def _highway(state):
    from rnn_helpers import plots

    many = state["when"] != "one"
    lines = (
        highway.middle(state["when"]) if many else highway.gradients(state["bias"], state["alpha"])
    )
    kinds = ["memory" if "LSTM" in name else "gate" if name == "GRU" else "state" for name in lines]
    plot = plots.gradient_reach(lines, kinds=kinds, at=state["back"])
    networks = manifest()["highway"]["example"]["measured"]["networks"]
    words = f"Of {networks} {state['when']} networks of each kind, the middle one. " if many else ""
    return plots.Plot(plot.figure, words + plot.alt)


def _gates(state):
    from rnn_helpers import plots

    net, sequence = state["net"], state["sequence"]
    params = {
        name: np.array(array)
        for name, array in manifest()["gates"]["example"]["networks"][net].items()
    }
    x = counters.coded(sequence)
    run = counters.forward(net, params, x)
    return plots.gate_strips(
        run,
        10 * run.o[:, 0],
        10 * counters.TASK.counts(x),
        symbols=sequence,
        mark="r" if "r" in sequence else None,
        unit=state["unit"],
        at=min(state["t"], len(sequence)),
    )


def _reservoir(state):
    from rnn_helpers import plots

    example = manifest()["reservoir"]["example"]
    radius, scale = state["radius"], state["scale"]
    return plots.reservoir_memory(
        *reservoir.remembered(radius, scale, state["leak"]),
        plane=[example["measured"][key] for key in ("radii", "scales", "capacities")],
        at=(radius, scale),
        delay=state["k"],
    )


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


def _clockwork(state):
    from rnn_helpers import plots

    net, group, since = state["net"], state["group"], state["since"]
    example = manifest()["clockwork"]["example"]
    params = {name: np.array(array) for name, array in example["networks"][net].items()}
    values = clockworks.signal(state["seed"])
    h, o, moves = clockworks.forward(
        net, params, clockworks.read(values), group, state["clock"], since
    )
    units = clockworks.units(net)
    name = list(units)[group - 1]
    return plots.clock_raster(
        *(h, moves, o, values[1:]),
        groups=units,
        reads=clockworks.READS,
        held=name if state["clock"] != clockworks.periods(net)[group - 1] else None,
        since=since,
        at=state["t"] if state["t"] < clockworks.LENGTH else None,
    )


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


def _flow(state):
    from rnn_helpers import plots

    params, x, grad_last = flow.network(state)
    held = {"nothing": "exact", "gradients": "gradients constant", "states": "states too"}
    paths = {constant: flow.descend(params, x, constant) for constant in held}
    weights = paths[state["constant"]][0]
    runs = [params | {"W": W} for W in (weights[state["k"]], weights[-1])]
    (now, run), after = [(params, rnn_forward(params, x)) for params in runs]
    others = {} if state["k"] == len(weights) - 1 else {f"after {len(weights) - 1} steps": after}
    descents = {held[constant]: omegas for constant, (_, omegas) in paths.items()}
    return plots.gradient_flow(now, run, grad_last, others=others, descents=descents)


def _automaton(state):
    from rnn_helpers import plots

    example = manifest()["automaton"]["example"]
    return plots.automaton_graph(
        automata.chosen(example, [name for name in automata.FACTORS if state[name]]),
        automata.read(state["text"])[: state["t"]],
    )


def _mappings(state):
    from rnn_helpers import plots

    names, shapes = {}, {}
    for option in manifest()["mappings"]["controls"]["pattern"]["options"]:
        task = mappings.task(**state | {"pattern": option["value"]})
        run = rnn_forward(task.params, task.x)
        reads = ["picture"] if option["value"] == "one-one" else task.reads
        names[option["value"]] = option["label"]
        shapes[option["label"]] = (reads, task.answers(run.o), run.h)
    chosen = names[state["pattern"]]
    return plots.sequence_mappings(
        shapes, chosen=chosen, at=min(state["t"], len(shapes[chosen][0]))
    )


def _cliff(state):
    from rnn_helpers import plots

    example = manifest()["cliff"]["example"]
    names = {
        "none": "not clipped either",
        "norm": "norm clipped",
        "element": "each entry clipped",
        "random": "random step",
    }
    paths = {"without clipping": cliff.descend(state, "none")}
    paths[names[state["kind"]]] = cliff.descend(state, state["kind"])
    return plots.clipping_cliff(
        lambda w, b: cliff_loss(w, b, state["T"]),
        paths,
        state["v"],
        limits=[example["w"], example["b"]],
        neutral=example["always"],
    )


def _tbptt(state):
    from rnn_helpers import plots

    params, (x, y) = blocks.network(state["radius"]), blocks.tokens()
    return plots.truncated_blocks(params, x, y, state["block"], at=state["t"], carry=state["carry"])


def _batching(state):
    from rnn_helpers import plots

    groups = batching.arrangement(state)
    row = [i for group in groups for i in group].index(state["sentence"] - 1)
    lengths = batching.lengths()
    return plots.padded_minibatches(
        [lengths[group] for group in groups], counted=not state["mask"], at=row + 1
    )


def _sampler(state):
    from rnn_helpers import plots

    net, prompt, heat, length = (state[key] for key in ("net", "prompt", "temperature", "at"))
    made = {
        "always the likeliest": writers.write(net, prompt, 0, 0, length),
        f"at temperature {heat:g}": writers.write(net, prompt, heat, state["seed"], length),
    }
    looked = list(made.values())[state["lane"] == "drawn"]
    plot = plots.written_texts(
        {name: prompt + written.text for name, written in made.items()},
        looked.yhat[-1],
        characters.alphabet(),
        temperature=heat if state["lane"] == "drawn" else 0.0,
        chosen=looked.tokens[-1],
    )
    costs = ", ".join(f"{name} {written.bits:.2f}" for name, written in made.items())
    return plots.Plot(plot.figure, f"Bits a character: {costs}. {plot.alt}")


_FOLLOWED = {
    "brackets": "inside brackets",
    "quotes": "inside quotes",
    "indent": "in the indent",
    "line": "place in the line",
    "space": "a space just read",
}


def _units(state):
    from rnn_helpers import plots

    net, text, follow = state["net"], state["text"], state["follow"]
    return plots.following_units(
        characters.shown(characters.run(net, text)),
        text_features(text)[follow],
        text,
        unit=min(state["unit"], characters.UNITS[net]),
        elsewhere=characters.measured(net)[follow],
        name=_FOLLOWED[follow],
    )


def _sharing(state):
    from rnn_helpers import plots

    return plots.places_found(**sharing.shown(state["sentence"], state["trained"]))


# name -> function of the complete state, giving the Plot that stands for the figure.
POSTERS = {
    "batching": _batching,
    "unfold": _unfold,
    "step": _step,
    "bptt": _bptt,
    "jacobian": _jacobian,
    "latch": _latch,
    "compose": _compose,
    "products": _products,
    "eigen": _eigen,
    "lstm": _lstm,
    "gru": _gru,
    "highway": _highway,
    "gates": _gates,
    "scales": _scales,
    "perturb": _perturb,
    "reservoir": _reservoir,
    "clockwork": _clockwork,
    "curvature": _curvature,
    "clip": _clip,
    "cliff": _cliff,
    "flow": _flow,
    "mappings": _mappings,
    "sharing": _sharing,
    "automaton": _automaton,
    "tbptt": _tbptt,
    "sampler": _sampler,
    "units": _units,
}


# name -> function of the complete state, giving HTML where words serve better than a picture.
FALLBACKS = {
    "predict": predict.fallback,
}


def _check_unfold(state, given):
    if state["circuit"] is not None:
        try:
            Circuit.from_dict(state["circuit"])
        except (TypeError, ValueError) as error:
            raise ValueError(f"circuit is no circuit: {error}") from None


def _check_step(state, given):
    read = _read(state["text"])
    strange = sorted(set(read[1:]) - set("ab"))
    if strange:
        raise ValueError(f"text is {state['text']!r}, with {', '.join(strange)}; expected a and b")
    longest = manifest()["step"]["controls"]["t"]["max"] - 1
    if len(read) - 1 > longest:
        raise ValueError(f"text has {len(read) - 1} symbols; expected at most {longest}")
    if "t" in given and state["t"] > len(read):
        raise ValueError(f"t is {state['t']}; {state['text']!r} has the steps 1 to {len(read)}")


def _check_automaton(state, given):
    read = automata.read(state["text"])
    if len(state["text"].strip()) != len("".join(read)):
        raise ValueError(
            f"text is {state['text']!r}; expected at most 16 of ab()[], and </s> at the end if any"
        )
    if "t" in given and state["t"] > len(read):
        raise ValueError(f"t is {state['t']}; {state['text']!r} has {len(read)} symbols")


def _check_bptt(state, given):
    kind, t = re.fullmatch(r"(\D+)(\d*)", state["at"]).groups()
    last = state["T"]
    unscored = state["loss"] == "last" and kind in ("o", "L", "do") and t and int(t) < last
    if t and (int(t) > last or unscored):
        raise ValueError(
            f"at is {state['at']!r}; T={last}, loss={state['loss']!r} has no such step"
        )


def _check_gru(state, given):
    if not state["x"]:
        raise ValueError("x is empty; expected at least one of the inputs 0, 1 and -")
    if "t" in given and state["t"] > len(state["x"]):
        raise ValueError(f"t is {state['t']}; x has the steps 1 to {len(state['x'])}")
    for key in "ur":
        strange = [
            pair
            for pair in state[key].split()
            if not re.fullmatch(r"\d+:(0?\.\d+|[01](\.0*)?)", pair)
        ]
        steps = {int(pair.partition(":")[0]) for pair in state[key].split() if pair not in strange}
        if strange or not steps <= set(range(1, len(state["x"]) + 1)):
            raise ValueError(
                f"{key} is {state[key]!r}; expected pairs like '5:0.5', a step from 1 to "
                f"{len(state['x'])} and a gate from 0 to 1"
            )


def _check_gates(state, given):
    T = len(state["sequence"])
    if not T or set(state["sequence"]) - set("01r"):
        raise ValueError(f"sequence is {state['sequence']!r}; expected at least one of 0, 1 and r")
    if "t" in given and state["t"] > T:
        raise ValueError(f"t is {state['t']}; the sequence has the steps 1 to {T}")


def _check_mappings(state, given):
    task = mappings.task(**{key: value for key, value in state.items() if key != "t"})
    if "t" in given and state["t"] > len(task.x):
        raise ValueError(f"t is {state['t']}; what is read has the steps 1 to {len(task.x)}")


def _check_units(state, given):
    T, n_h = len(state["text"]), characters.UNITS[state["net"]]
    if not T:
        raise ValueError("text is empty; expected at least one character")
    if "t" in given and state["t"] > T:
        raise ValueError(f"t is {state['t']}; the text has the characters 1 to {T}")
    if "unit" in given and state["unit"] > n_h:
        raise ValueError(f"unit is {state['unit']}; the network has the units 1 to {n_h}")


def _check_sharing(state, given):
    sharing.check(state["sentence"])


def _check_lstm(state, given):
    held_gates(state["held"])


# name -> function of the complete state and of what was given of it; it raises ValueError for what
# the manifest cannot know.
CHECKS = {
    "automaton": _check_automaton,
    "unfold": _check_unfold,
    "step": _check_step,
    "bptt": _check_bptt,
    "lstm": _check_lstm,
    "gru": _check_gru,
    "gates": _check_gates,
    "mappings": _check_mappings,
    "predict": predict.check,
    "sharing": _check_sharing,
    "units": _check_units,
}
