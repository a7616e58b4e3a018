"""Questions on chapter 03, Recurrent networks."""

import math
import re

import numpy as np

from course.exam import Question

SENTENCES = "knock knock who?", "knock knock giraffe", "knock giraffe knock", "giraffe knock knock"
STATUS = re.compile(
    r"symbol is (.+?), with probability ([\d.]+\d)\. "
    r"The target is (\S+), which costs ([\d.]+\d)\. The total is ([\d.]+\d)"
)


def price_of_a_step(rng):
    """Read the figure of a network that predicts words."""
    from press.still import draw

    text, t = str(rng.choice(SENTENCES)), int(rng.integers(2, 4))
    state = {"text": text, "t": t}
    status = draw("step", state).status
    best, most, _, cost, total = STATUS.search(status).groups()
    words = [".", *text.split(), "."]
    return Question(
        kind="read",
        title="What does a word cost?",
        minutes=8,
        text=f"""The figure shows step {t} of a network that reads the sentence *{text}*, one
symbol at a time.

1. What are the input and the target of step {t + 1}?
2. Which probability does the network give to the first {t} targets together?
3. Which symbol would have been the cheapest target at step {t}, and what would it have cost?""",
        figure=("step", state),
        key=f"""1. The input is `{words[t]}`, the target `{words[t + 1]}` (2 points)
2. exp(−{total}) = {math.exp(-float(total)):.3g}. The product of the probabilities is the same,
since the total is the sum of their −ln (4 points)
3. {best}, −ln {most} = {-math.log(float(most)):.3f} nats; the target cost {cost} (2 points)""",
    )


def two_steps(rng):
    """Compute two steps of a network with two units."""
    W = rng.choice([-1.0, -0.5, 0.5, 1.0], (2, 2))
    U, b = rng.choice([-1.0, 0.5, 1.0, 2.0], 2), rng.choice([-0.5, 0.0, 0.5], 2)
    xs = rng.choice([-1, 1, 2], 2)
    h = np.zeros(2)
    told = []
    for x in xs:
        a = W @ h + U * x + b
        h = np.tanh(a)
        told.append(f"a = ({a[0]:.3f}, {a[1]:.3f}), h = ({h[0]:.3f}, {h[1]:.3f})")

    def row(values):
        return " & ".join(f"{v:g}" for v in values)

    return Question(
        kind="compute",
        title="Two steps by hand",
        minutes=12,
        text=rf"""A network computes $\boldsymbol h^{{(t)}} = \tanh(\boldsymbol W \boldsymbol
h^{{(t-1)}} + \boldsymbol U x^{{(t)}} + \boldsymbol b)$ with $\boldsymbol h^{{(0)}} = 0$ and

$$\boldsymbol W = \begin{{pmatrix}} {row(W[0])} \\ {row(W[1])} \end{{pmatrix}}, \qquad \boldsymbol
U = \begin{{pmatrix}} {U[0]:g} \\ {U[1]:g} \end{{pmatrix}}, \qquad \boldsymbol b =
\begin{{pmatrix}} {b[0]:g} \\ {b[1]:g} \end{{pmatrix}}.$$

The inputs are {xs[0]} and {xs[1]}. Compute the two states, to two decimals. (You may use a pocket
calculator, or $\tanh 0.5 \approx 0.46$, $\tanh 1 \approx 0.76$, $\tanh 1.5 \approx 0.91$, $\tanh
2 \approx 0.96$, and for larger numbers 1, with straight lines between.) Which weights does the
first step not use?""",
        key=f"""Step 1: {told[0]} (4 points)

Step 2: {told[1]} (6 points; 3 of them if W is transposed)

The first step doesn't use W, because the initial state is 0. (2 points)""",
    )


def loss_of_a_sentence(rng):
    """Add up the loss of a sentence."""
    p = rng.choice([0.5, 0.25, 0.125, 0.8, 0.1, 0.4], 4, replace=False).tolist()
    total = -sum(map(math.log, p))
    which, factor = int(rng.integers(1, 5)), int(rng.choice([2, 4]))
    return Question(
        kind="compute",
        title="From probabilities to a loss",
        minutes=10,
        text=f"""At the four steps of a sentence, a network gives its targets the
probabilities {", ".join(f"{one:g}" for one in p)}.

1. What probability does the network give to the sentence?
2. What is the loss in nats? (ln 2 ≈ 0.69, ln 5 ≈ 1.61)
3. After some training, the probability at step {which} is {factor} times as small, and the others
are unchanged. By how much does the loss change?
4. Another network gives each target the probability 0 except one, to which it gives 1. What is
its loss?""",
        key=f"""1. {math.prod(p):.4g} (2 points)
2. {total:.3f} (4 points)
3. It grows by ln {factor} ≈ {math.log(factor):.2f}, whatever the others are (3 points)
4. Infinite (1 point)""",
    )


TRAININGS = (
    (
        "the loss falls to 0.0003 within a few steps of training, on the training text and on new "
        "text. When it writes, it repeats the first symbol forever.",
        "The targets are the inputs: the shift by one is missing, so the network learns to copy.",
        "Print the first inputs and targets side by side.",
    ),
    (
        "the loss is fine for some sentences and `nan` for others, and more often as training goes "
        "on.",
        "The softmax takes exp of large logits, which overflows. Subtract the largest logit of the "
        "step first.",
        "Try the logits 1000 and 0.",
    ),
    (
        "the loss of a sentence depends on which sentence came before it, although each should be "
        "judged by itself.",
        "The state isn't reset between sentences: the last state of one is the first of the next.",
        "Compute the loss of one sentence twice in a row. Both must agree.",
    ),
)


def strange_training(rng):
    """Find the bug in a training from what it shows."""
    symptom, bug, test = TRAININGS[int(rng.integers(len(TRAININGS)))]
    vocabulary = int(rng.choice([4, 16, 64]))
    return Question(
        kind="diagnose",
        title="A strange training",
        minutes=10,
        text=f"""A network is trained to predict the next of {vocabulary} symbols. You see that
{symptom}

1. Which loss per symbol should an untrained network have?
2. What is the most likely bug? Explain how it leads to what you see.
3. Which quick experiment would confirm it?""",
        key=f"""1. About ln {vocabulary} = {math.log(vocabulary):.2f} nats (2 points)
2. {bug} (5 points: 3 for the bug, 2 for the explanation)
3. For example: {test} (3 points)""",
    )


def latch(rng):
    """Prove that a unit keeps its sign."""
    w, u = int(rng.integers(3, 5)), float(rng.choice([1, 1.5]))
    sign = int(rng.choice([1, -1]))
    above = r"\ge \frac12" if sign > 0 else r"\le -\frac12"
    least = 0.5 * w - 0.5 * u
    return Question(
        kind="prove",
        title="A unit that doesn't forget",
        minutes=15,
        text=rf"""A unit computes $h^{{(t)}} = \tanh({w} h^{{(t-1)}} + {u:g} x^{{(t)}})$. All
inputs lie between $-\frac12$ and $\frac12$.

1. Prove: if $h^{{(s)}} {above}$ at some step $s$, then $h^{{(t)}} {above}$ at every later step.
(Use $\tanh 0.55 > \frac12$.)
2. Show with one example that the claim fails if inputs may be as large as 3 in absolute value.
3. What does this say about the gradient of $h^{{(t)}}$ with respect to $h^{{(s)}}$, for large
$t - s$? One sentence.""",
        key=f"""1. By induction on t. The case t = s is given. If it holds at t − 1, the argument
of the tanh is {"at least" if sign > 0 else "at most"} {sign * least:g}, since {w} · ½ − {u:g} ·
½ = {least:g} > 0.55. tanh is increasing{" and odd" if sign < 0 else ""}, so the state is on the
same side of {sign * 0.5:g}. (8 points: induction 3, bound of the argument 3, monotony 2)
2. For example h = {sign * 0.5:g} and x = {-3 * sign}: the argument is
{sign * (0.5 * w - 3 * u):g}, of the other sign. (4 points)
3. It is a product of factors {w}(1 − h²). At a saturated unit they are below 1, so it vanishes
although the unit remembers. (3 points)""",
    )


TEMPLATES = [price_of_a_step, two_steps, loss_of_a_sentence, strange_training, latch]
