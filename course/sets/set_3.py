"""Set 3: contexts, bidirectional networks, encoders and decoders (chapters 08 to 10)."""

import numpy as np

from course.problem import Mistake, Problem, Proof

TITLE = "Contexts, bidirectional networks, attention"
CHAPTERS = "08", "09", "10"


def who_sees(public, hidden):
    """Follow which inputs reach the outputs of a stack of layers (chapter 09)."""
    base = int(public.integers(2))
    ahead = int(public.integers(3))
    target, beyond = (
        ("its own input $x^{(t)}$, as for filling a gap", ""),
        ("the next input, $x^{(t+1)}$", " (After the last input, there is nothing to copy.)"),
        (
            "the input after the next, $x^{(t+2)}$",
            " (After the last input, there is nothing to copy.)",
        ),
    )[ahead]
    code = f'''
def who_sees(layers, T):
    """Return the tick of each output, and how many outputs can copy their target."""
    ### BEGIN SOLUTION
    t = np.arange(T)
    out, read = t[:, None], t
    reads = {{
        "forward": read <= out,
        "backward": read >= out,
        "around": read != out,
        "window": abs(read - out) <= 1,
    }}
    sees = np.eye(T, dtype=bool)
    for layer in layers:
        sees = reads[layer] @ sees
    ticks = [int(np.flatnonzero(row).max(initial=0)) + {base} for row in sees]
    return ticks, int(np.trace(sees, {ahead}))
    ### END SOLUTION
'''
    # The output of step 1 of "forward" sees x(1); that of the last step sees all.
    copies = (2, 0, 0)[ahead]
    kinds = "forward", "backward", "around", "window"
    stacks = [["around"], ["around", "around"], ["forward", "window", "window"]]
    stacks += [["forward", "around"], ["around", "forward"], ["around", "backward"]]
    stacks += [[str(kind) for kind in hidden.choice(kinds, size=3)] for _ in range(3)]
    return Problem(
        name="who_sees",
        title="Who sees what?",
        minutes=15,
        points=6,
        text=rf"""Layers are stacked. The lowest one reads the inputs $x^{{(1)}}, \dots, x^{{(T)}}$,
and each other layer reads the outputs of the layer below it. There are four kinds of layers. At
step $t$, the output of a layer depends on some of the steps that the layer reads:

- `"forward"`: on the steps 1 to $t$
- `"backward"`: on the steps $t$ to $T$
- `"around"`: on all steps but $t$. It combines the forward state of step $t-1$ with the backward
  state of step $t+1$.
- `"window"`: on the steps $t-1$, $t$ and $t+1$, as far as they exist

At step $t$, the output of the highest layer is trained to predict **{target}**. An output can copy
its target if it depends on it.

Write `who_sees(layers, T)`, where `layers` lists the kinds from the lowest to the highest layer.
It returns a pair:

1. a list with the tick at which each output of the highest layer can be computed. One input
   arrives at each tick, and computing takes no time. Steps are counted from 1, but **the first
   input arrives at tick {base}**. (An output that depends on no input can be computed at tick
   {base}.)
2. the number of outputs that can copy their target.{beyond}""",
        code=code,
        example=f'print(who_sees(["forward"], 2))  # ([{base}, {base + 1}], {copies})',
        cases=[(stack, int(hidden.integers(4, 8))) for stack in stacks],
        hint="Draw three steps and two layers. Start at one output of the upper layer, and follow "
        "all arrows backward to the inputs. Does your function find the same inputs?",
        success="An output sees an input if any path leads to it. So one layer that skips a step "
        "hides it, and two such layers don't.",
        mistakes={
            "only the highest layer counts": Mistake(
                "reads[layer] @ sees",
                "reads[layer]",
                "The highest layer reads outputs of the layer below it. Which inputs have these "
                "read?",
                0.3,
            ),
            "the layers are put side by side": Mistake(
                "reads[layer] @ sees",
                "reads[layer] | sees",
                "Two windows are stacked. How far away is the farthest input that reaches an "
                "output?",
                0.3,
            ),
            "what a layer skips stays hidden": Mistake(
                "reads[layer] @ sees",
                "(reads[layer] @ sees) & reads[layer]",
                "The highest layer doesn't read step 2 of the layer below. Has step 3 of that "
                "layer read x(2)?",
                0.6,
            ),
            "the layers in the opposite order": Mistake(
                "reads[layer] @ sees",
                "sees @ reads[layer]",
                "Which layer reads the inputs: the first in the list, or the last?",
                0.7,
            ),
            "around is taken for the two neighbors": Mistake(
                '"around": read != out',
                '"around": abs(read - out) == 1',
                "How many inputs has the forward state of step t − 1 read?",
                0.5,
            ),
            "ticks counted from another number": Mistake(
                f"+ {base} for", f"+ {1 - base} for", "At which tick does x(1) arrive?", 0.8
            ),
            "another target": Mistake(
                f"np.trace(sees, {ahead})",
                f"np.trace(sees, {(ahead + 1) % 3})",
                "Which input is the target of the output at step 1?",
                0.7,
            ),
        },
    )


FAULTS = (
    "the padding isn't masked",
    "the score of the padding is set to 0",
    "the weight of the padding is set to 0 after the softmax",
    "the softmax runs over the sentences",
    "Q is transposed",
    "each sentence gets the query of the other",
)


def _weights(Q, h, notes, pads, fault=""):
    """Return the weights of two sentences, one per column, with a bug."""
    if fault == "Q is transposed":
        Q = Q.T
    if fault == "each sentence gets the query of the other":
        h = h[::-1]
    scores = (notes * (h @ Q.T)).sum(axis=-1)
    if fault == "the score of the padding is set to 0":
        scores = np.where(pads, 0, scores)
    elif fault not in FAULTS[:3]:
        scores = np.where(pads, -np.inf, scores)
    e = np.exp(scores)
    weights = e / e.sum(axis=int(fault == FAULTS[3]), keepdims=True)
    return np.where(pads, 0, weights) if fault == FAULTS[2] else weights


def wrong_weights(public, hidden):
    """Find the bug in the attention weights of a minibatch (chapters 09 and 10)."""
    fault = str(public.choice(FAULTS))
    short = int(public.integers(2))
    pads = np.zeros((3, 2), bool)
    pads[2, short] = True
    while True:
        Q = public.integers(-1, 3, size=(2, 2)).astype(float)
        h = public.choice([-1, -0.5, 0.5, 1], size=(2, 2))
        notes = public.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=(3, 2, 2))
        runs = {name: _weights(Q, h, notes, pads, name) for name in ("", *FAULTS)}
        contexts = {name: (w[..., None] * notes).sum(axis=0)[short] for name, w in runs.items()}
        tables = [*runs.values()]
        apart = min(np.abs(p - q).max() for p in tables for q in tables if p is not q)
        wrong = np.abs(runs[fault] - runs[""]).max(axis=0)
        near = [np.abs(c - contexts[""]).max() for name, c in contexts.items() if name]
        if apart > 0.05 and ((wrong < 1e-9) | (wrong > 0.05)).all() and min(near) > 0.05:
            break
    sentences = [1 + k for k in range(2) if wrong[k] > 0.05]
    other = [1, 2] if len(sentences) == 1 else [short + 1]
    right, printed = (contexts[name].round(4).tolist() for name in ("", fault))
    table = "\n".join(
        f"| {i} | {one:.3f} | {two:.3f} |" for i, (one, two) in enumerate(runs[fault], 1)
    )
    rows = "\n".join(
        f"| {i} | ({a[0]:g}, {a[1]:g}) | ({b[0]:g}, {b[1]:g}) |"
        for i, (a, b) in enumerate(notes, 1)
    )
    code = f'''
def wrong_weights():
    """Return the bug, the sentences with wrong weights, and a right context."""
    ### BEGIN SOLUTION
    return {{"bug": "{fault}", "sentences": {sentences}, "context": {right}}}
    ### END SOLUTION
'''
    others = {
        f"taken for: {name}": Mistake(
            f'"{fault}"',
            f'"{name}"',
            "Compute the weights of one sentence with the bug that you name. Are they those of "
            "the table?",
            0.5,
        )
        for name in FAULTS
        if name != fault
    }
    return Problem(
        name="wrong_weights",
        title="Whose weights are wrong?",
        minutes=15,
        points=6,
        text=rf"""A decoder translates two sentences at once. Sentence {2 - short} has three words.
Sentence {short + 1} has two, and its third position is padding, which should get no weight. So the
weights of the two words should add up to 1. These are the annotations:

| position | sentence 1 | sentence 2 |
|---|---|---|
{rows}

The decoder's states are $\boldsymbol h = ({h[0][0]:g}, {h[0][1]:g})$ for sentence 1 and
$({h[1][0]:g}, {h[1][1]:g})$ for sentence 2, and

`Q = {Q.tolist()}`.

The score of an annotation should be $e_i = \boldsymbol a_i^\top \boldsymbol Q \boldsymbol h$. But
the program has one bug. It printed these attention weights:

| position | sentence 1 | sentence 2 |
|---|---|---|
{table}

Write `wrong_weights()`. It returns a dictionary: `"bug"` is one of the sentences below,
`"sentences"` is the list of the sentences whose printed weights are wrong (`[1]`, `[2]` or
`[1, 2]`), and `"context"` is the **right** context of sentence {short + 1}, as a list of two
numbers with at least three decimals.

"""
        + "\n".join(f'- `"{name}"`' for name in FAULTS),
        code=code,
        example="assert set(wrong_weights()) == {'bug', 'sentences', 'context'}, 'expected these'",
        tolerance=2e-3,
        parts={"bug": 0.4, "sentences": 0.2, "context": 0.4},
        hint="Add up the printed weights of each sentence, and look at the padding. Which bugs "
        "does this leave? Then compute the scores.",
        success="The sums of the weights and the weight of the padding exclude most bugs before "
        "you compute a single score.",
        mistakes={
            "the context of the printed weights": Mistake(
                f'"context": {right}',
                f'"context": {printed}',
                "Is this the context that the program computed, or the one that it should have "
                "computed?",
                0.6,
            ),
            "other sentences": Mistake(
                f'"sentences": {sentences}',
                f'"sentences": {other}',
                "Compute the right weights of both sentences. Which columns of the table differ?",
                0.8,
            ),
            **others,
        },
    )


def where_to_look(public, hidden):
    """Choose the matrix with which a decoder finds a position (chapters 08 and 10)."""
    while True:
        n = int(public.choice([6, 8, 10]))
        place, step, k = (
            int(public.integers(2)),
            int(public.integers(2)),
            int(public.integers(1, 3)),
        )
        way = str(public.choice(["reversed", "after", "before"]))
        net = {"after": k, "before": -k}.get(way, 0) + place - step
        if way == "reversed":
            place = step
            net = 2 * place - 1
        if 2 * net % n:
            break
    first, next_one, last = {
        "reversed": ("last", "before", "the first letter comes last"),
        "after": (("second", "third")[k - 1], "after", "after the last letter comes the first"),
        "before": (
            ("last", "last but one")[k - 1],
            "after",
            "after the last letter comes the first",
        ),
    }[way]
    mirror = way == "reversed"
    rows = "[c, s], [s, -c]" if mirror else "[c, -s], [s, c]"
    code = f'''
def where_to_look():
    """Return the matrix Q, of shape (4, 2)."""
    ### BEGIN SOLUTION
    turn = 2 * np.pi * {net} / {n}
    c, s = np.cos(turn), np.sin(turn)
    return 60 * np.array([{rows}, [0, 0], [0, 0]])
    ### END SOLUTION
'''
    lines = hidden.uniform(-1, 1, size=(4, n, 2))

    def looks(Q):
        """Return the position with at least 0.9 of the weight at each step of each line, or −1."""
        Q = np.asarray(Q, float)
        if Q.shape != (4, 2) or not np.isfinite(Q).all():
            raise ValueError("a matrix of another form")
        angle = 2 * np.pi * np.arange(n) / n
        code, state = (
            np.stack([np.cos(angle + a), np.sin(angle + a)], axis=1)
            for a in (2 * np.pi * first / n for first in (place, step))
        )
        found = []
        for line in lines:
            scores = np.hstack([code, line]) @ Q @ state.T
            e = np.exp(scores - scores.max(axis=0))
            weights = e / e.sum(axis=0)
            best = weights.argmax(axis=0)
            found += np.where(weights.max(axis=0) >= 0.9, best, -1).tolist()
        return found

    counts = {
        "the two counts begin with the same number": Mistake(
            f"np.pi * {net} /",
            f"np.pi * {net - place + step} /",
            "Which angle has the first letter, and which has the first step?",
            0.7,
        )
    }
    return Problem(
        name="where_to_look",
        title="Tell it where to look",
        minutes=15,
        points=6,
        text=rf"""A decoder copies lines of **{n} letters** with attention, but in another order. At
the first step it should write **the {first} letter**. At each later step it should write the
letter **{next_one}** the one that it has just written; {last}.

The annotation of the letter at position $i$ has four numbers. The first two are
$\cos(2\pi i / {n})$ and $\sin(2\pi i / {n})$, so that they describe the position. The other two
describe the letter, and all that you know about them is that they lie between −1 and 1. The
decoder's state before step $t$ is $\boldsymbol h = (\cos(2\pi t / {n}), \sin(2\pi t / {n}))$.
**Positions are counted from {place}, and steps from {step}.** The score of an annotation is $e_i =
\boldsymbol a_i^\top \boldsymbol Q \boldsymbol h$, and a softmax turns the scores into weights.

Write `where_to_look()`. It returns a matrix `Q` of shape `(4, 2)`, with which at each of the {n}
steps the right letter gets at least 0.9 of the weight, whatever the letters are. Every matrix
with this property is right. It is tried on lines that you don't know.""",
        code=code,
        example="print(np.shape(where_to_look()))",
        measure=looks,
        hint="Which angle does the annotation have that should be found at step t? Which matrix "
        "turns, or reflects, the decoder's state into a vector with this angle?",
        success="Your query points at a place and not at a letter. It does so only because the "
        "annotations contain their positions, and only for lines of this length.",
        mistakes={
            "the scores are too small": Mistake(
                "60 *",
                "1 *",
                "How large is the largest weight of a step? What happens to a softmax if all "
                "scores are ten times as large?",
                0.7,
            ),
            "the query isn't turned": Mistake(
                "np.pi *",
                "np.pi * 0 *",
                "At the first step, at which position does your decoder look?",
                0.3,
            ),
            "turned the wrong way": Mistake(
                "turn = 2",
                "turn = -2",
                "At the first step, does your decoder look too far ahead, or not far enough?",
                0.6,
            ),
            "the letters have a say": Mistake(
                "[0, 0], [0, 0]",
                "[1, 1], [1, 1]",
                "Change the letters of a line. Do your weights change?",
                0.4,
            ),
            **(counts if place != step else {}),
        },
    )


def in_rounds(public, hidden):
    """Compute what it costs to draw several words at once (chapters 07, 08 and 10)."""
    base, in_bits = int(public.integers(2)), bool(public.integers(2))
    log, other = ("np.log2", "np.log") if in_bits else ("np.log", "np.log2")
    unit = "bits" if in_bits else "nats"
    shown = [[base], [base + 1, base + 2]]
    loss = 1.0 if in_bits else np.log(2)
    code = f'''
def in_rounds(table, rounds):
    """Return the share of sentences that are possible, and the mean loss of a true one."""
    ### BEGIN SOLUTION
    def share(kept):
        left_out = set(range(table.ndim)) - set(kept)
        return table.sum(axis=tuple(left_out), keepdims=True)

    drawn, known = np.ones(table.shape), []
    for positions in rounds:
        new = [position - {base} for position in positions]
        for one in new:
            before = share(known)
            drawn *= share([*known, one]) / np.where(before > 0, before, 1)
        known = known + new
    true = table > 0
    return drawn[true].sum(), -(table[true] * {log}(drawn[true])).sum()
    ### END SOLUTION
'''
    return Problem(
        name="in_rounds",
        title="Several words at once",
        minutes=20,
        points=8,
        text=f"""To be fast, a captioner draws its words in rounds. In each round it draws one or
more words at once, and none of these depends on another one of the same round. But it has
received the picture and the words of **all** earlier rounds, and it has learned as well as a
network can that draws in these rounds.

For one picture, `table[i, j, …]` is the true probability of the sentence whose words are number
$i$, number $j$, and so on: the table has an axis for each position in the sentence. `rounds` lists
the positions that are drawn in each round. **Positions are counted from {base}.** With
`{shown}`, the first word is drawn alone, and then the second and the third at once. Each position
occurs once, in any order. (After words that are impossible together, it doesn't matter what the
network draws.)

Write `in_rounds(table, rounds)`. It returns two numbers:

1. the share of the drawn sentences that are possible, in the long run. A sentence is possible if
   its true probability is above 0.
2. the mean loss in **{unit}** that the network pays for a true sentence, drawn with the true
   probabilities.""",
        code=code,
        example=f"""# Two sentences of three words are true, each half of the time.
table = np.zeros((2, 2, 2))
table[0, 0, 0] = table[1, 1, 1] = 1 / 2
print(in_rounds(table, {shown}))  # all are possible, and the loss is {loss:.3f}""",
        cases=[
            (_sentences(hidden, sizes), [[base + place for place in each] for each in rounds])
            for sizes, rounds in (
                ((2, 2, 2), [[0], [1, 2]]),
                ((2, 3, 2), [[1, 0], [2]]),
                ((2, 2, 3), [[2], [0], [1]]),
                ((3, 2, 2), [[0, 1, 2]]),
                ((2, 2, 2, 2), [[3], [0], [1, 2]]),
                ((2, 3, 2, 2), [[2, 1], [3], [0]]),
            )
        ],
        hint="Take the two sentences of the example. Draw all words in one round, and then one "
        "word in each round. Which shares and losses do you expect? Which does your function give?",
        success="Words that are drawn at once can't agree with each other. The price of a round is "
        "what its words would have told each other.",
        mistakes={
            "the words of a round see one another": Mistake(
                "before, 1)\n        known = known + new\n",
                "before, 1)\n            known = [*known, one]\n",
                "All words are drawn in a single round. Does the second one depend on the first?",
                0.4,
            ),
            "no round sees the earlier ones": Mistake(
                "known = known + new",
                "known = []",
                "There is one word in each round. Can a drawn sentence be impossible?",
                0.4,
            ),
            "a round sees only the round before": Mistake(
                "known = known + new",
                "known = new",
                "There are three rounds. Does the third one depend on the words of the first?",
                0.6,
            ),
            "the mean over the drawn sentences": Mistake(
                "-(table[true] *",
                "-(drawn[true] *",
                "With which probability does each sentence come up that the network has to pay "
                "for?",
                0.6,
            ),
            "a sentence has to be the true one": Mistake(
                "drawn[true].sum(),",
                "(table * drawn).sum(),",
                "Two sentences are true. Does a drawn sentence have to be a certain one of them?",
                0.6,
            ),
            "another unit": Mistake(
                log, other, "Which logarithm belongs to the unit that is asked for?", 0.8
            ),
        },
    )


def _sentences(rng, sizes):
    """Return a table of probabilities in which about half of the sentences are impossible."""
    while True:
        counts = rng.integers(1, 6, size=sizes) * rng.integers(2, size=sizes)
        flat = [counts.sum(axis=tuple({*range(counts.ndim)} - {k})) for k in range(counts.ndim)]
        if all((each > 0).all() for each in flat) and (counts > 0).sum() > 3:
            return counts / counts.sum()


def mirrored(public, hidden):
    """Prove that a symmetric encoder can't tell a source from its mirror image (09 and 10)."""
    joined, plain, weights, alone = (
        (
            r"the sum $\boldsymbol h^{(t)} + \boldsymbol g^{(t)}$",
            "the sum",
            "all weights and biases of the backward network be 0",
            r"\boldsymbol h^{(t)}",
        ),
        (
            r"the elementwise product of $\boldsymbol h^{(t)}$ and $\boldsymbol g^{(t)}$",
            "the product",
            r"all weights of the backward network be 0 and all of its biases 1",
            r"\tanh(1)\, \boldsymbol h^{(t)}",
        ),
    )[int(public.integers(2))]
    start = (
        "the mean of all annotations",
        "the elementwise maximum of all annotations",
        "the sum of all annotations",
    )[int(public.integers(3))]
    score = (
        r"\boldsymbol a_i^\top \boldsymbol Q \boldsymbol s",
        r"\boldsymbol v^\top \tanh(\boldsymbol Q \boldsymbol s + \boldsymbol K \boldsymbol a_i)",
    )[int(public.integers(2))]
    factor = "" if plain == "the sum" else r"\tanh(1)\, "
    return Proof(
        name="mirrored",
        title="A sentence and its mirror image",
        minutes=25,
        text=rf"""An encoder reads a source $\boldsymbol x^{{(1)}}, \dots, \boldsymbol x^{{(\tau)}}$
in both directions, with **the same** weights:

$$\boldsymbol h^{{(t)}} = \tanh(\boldsymbol W \boldsymbol h^{{(t-1)}} + \boldsymbol U \boldsymbol
x^{{(t)}} + \boldsymbol b), \qquad \boldsymbol g^{{(t)}} = \tanh(\boldsymbol W \boldsymbol
g^{{(t+1)}} + \boldsymbol U \boldsymbol x^{{(t)}} + \boldsymbol b),$$

with $\boldsymbol h^{{(0)}} = \boldsymbol g^{{(\tau+1)}} = \boldsymbol 0$. The annotation
$\boldsymbol a_t$ is {joined}. At each step, a decoder with the state $\boldsymbol s$ before the
step gives annotation $i$ the score ${score}$. A softmax turns the scores into weights, and the
context is the average of the annotations with these weights. The decoder's new state is a function
of its last state, the previous word and the context, its prediction is a function of the new
state, and its first state is $\boldsymbol 0$.

Let $\tilde{{\boldsymbol x}}^{{(t)}} = \boldsymbol x^{{(\tau+1-t)}}$ be the source in reverse order,
and mark everything that is computed from it with a tilde.

1. Prove that $\tilde{{\boldsymbol a}}_t = \boldsymbol a_{{\tau+1-t}}$.
2. Prove that the decoder gives every translation the same probability for both sources.
3. The decoder should be able to translate *cats see birds* and *birds see cats* differently. Two
changes are proposed. (a) The decoder's first state is {start}. (b) The backward network gets
weights of its own. For each change, say whether it helps. If it doesn't, show that your proof
still holds. If it does, say where your proof fails, and give an example in which a source and its
reverse have different sets of annotations.""",
        solution=rf"""**1.** We show by induction, from $t = \tau + 1$ down, that
$\tilde{{\boldsymbol g}}^{{(t)}} = \boldsymbol h^{{(\tau+1-t)}}$. At $t = \tau + 1$, both are
$\boldsymbol 0$. If it holds for $t + 1$, then $\tilde{{\boldsymbol g}}^{{(t)}} =
\tanh(\boldsymbol W \tilde{{\boldsymbol g}}^{{(t+1)}} + \boldsymbol U \tilde{{\boldsymbol
x}}^{{(t)}} + \boldsymbol b) = \tanh(\boldsymbol W \boldsymbol h^{{(\tau-t)}} + \boldsymbol U
\boldsymbol x^{{(\tau+1-t)}} + \boldsymbol b) = \boldsymbol h^{{(\tau+1-t)}}$.
In the same way, from $t = 0$ up, $\tilde{{\boldsymbol h}}^{{(t)}} = \boldsymbol
g^{{(\tau+1-t)}}$. Since {plain} doesn't change if its two parts are exchanged,
$\tilde{{\boldsymbol a}}_t = \boldsymbol a_{{\tau+1-t}}$.

**2.** By part 1, the two sources have the same annotations in reverse order. We show by induction
that the states agree at each step, for the same previous words. The first states are both
$\boldsymbol 0$. If the states before a step agree, each annotation has the same score as before,
because a score depends on its annotation and on $\boldsymbol s$, and not on the position. The
softmax divides by the same sum. So each annotation keeps its weight, and the average, a sum over
all annotations, is the same. So the new states and the predictions agree. The probability of a
translation is the product of its predictions, so it is the same, too.

**3.** (a) doesn't help. {start[0].upper()}{start[1:]} doesn't depend on their order either, so the
first states agree, and the rest of the proof holds. (b) helps. Part 1 fails at
$\tilde{{\boldsymbol g}}^{{(t)}} = \boldsymbol h^{{(\tau+1-t)}}$, which needs the same weights. For
example, let {weights}. Then $\boldsymbol a_t = {alone}$. With a single unit, $W = U = 1$, $b = 0$
and the source 1, 0, its annotations are ${factor}\tanh(1)$ and ${factor}\tanh(\tanh(1))$. The
reversed source has $0$ and ${factor}\tanh(1)$, which is another set.""",
        rubric={
            "Part 1: reversing exchanges h and g, by an induction with its first case.": 3,
            "Part 1: the annotation doesn't change if h and g are exchanged.": 1,
            "Part 2: each annotation keeps its score and weight, so the context is the same.": 2,
            "Part 2: an induction over the decoder's steps, and the product of the predictions.": 2,
            "Part 3: (a) doesn't help, because it doesn't depend on the order.": 1,
            "Part 3: (b) helps, because the proof needs the same weights.": 1,
            "Part 3: an example with other annotations.": 2,
        },
    )


TEMPLATES = [who_sees, wrong_weights, where_to_look, in_rounds, mirrored]
