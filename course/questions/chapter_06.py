"""Questions on chapter 06, Teacher forcing."""

import math
import re

from course.exam import Question

MOVES = "up", "up", "down", "up", "down", "ground", "up", "up"
FED = re.compile(r"Step \d is fed (\d), its output is (\d); the truth is (\d)")


def _floor(move, before):
    """Return the floor after a move of the figure's elevator."""
    return {"up": min(before + 1, 3), "down": max(before - 1, 0), "ground": 0}[move]


def _run(slip, floor, own):
    """Return the outputs of an elevator network that slips; it is fed its output where `own`."""
    truth, outputs = [], []
    for t, move in enumerate(MOVES, start=1):
        before = outputs if own(t) else truth
        output = _floor(move, before[-1] if before else 0)
        truth.append(_floor(move, truth[-1] if truth else 0))
        outputs.append(floor if t == slip else output)
    return truth, outputs


def elevator(rng):
    """Read the figure of an elevator, and reverse its switches."""
    from press.still import draw

    slip = int(rng.integers(2, 5))
    state = {"slip": slip, "t": slip, "flips": 0}
    floor = int(FED.search(draw("forcing", state).status)[2])
    cut = slip + int(rng.integers(2))
    truth, free = _run(slip, floor, lambda t: t > 1)
    _, once = _run(slip, floor, lambda t: t != cut + 1)
    wrong = [t for t in range(1, 9) if free[t - 1] != truth[t - 1]]
    fewer = [t for t in range(1, 9) if once[t - 1] != truth[t - 1]]

    def steps(which):
        return ", ".join(map(str, which))

    return Question(
        kind="read",
        title="Eight switches",
        minutes=10,
        text=f"""In the figure, a network without a state computes on which floor an elevator is.
All switches are at the truth, and at step {slip} the network is made to output a wrong floor. An
arrow up or down is a move by one floor, and the arrow with a line leads to floor 0.

1. Now all switches are set to the network's own output. Which outputs are wrong? Why is the last
of them wrong, although its step computes nothing wrong?
2. Then the switch before step {cut + 1} is set back to the truth, and only this one. Which outputs
are wrong now?
3. A machine can compute any number of steps at the same time, as long as their inputs are known.
Why does it need one round only in the figure? How many does it need in parts 1 and 2?
4. Which of these three settings is used in teacher forcing?""",
        figure=("forcing", state),
        key=f"""1. Steps {steps(wrong)}. Each step after the slip is right about its move, but it is
fed a wrong floor. Step 6 is right because it leads to floor 0 from anywhere (3 points)
2. {"Steps" if len(fewer) > 1 else "Only step"} {steps(fewer)} (2 points)
3. All true floors are known in advance. In part 1, it needs 8 rounds, because each step waits for
the one before. In part 2, steps 1 to {cut} wait for each other, and so do the {8 - cut} others:
{max(cut, 8 - cut)} rounds (4 points)
4. The one in the figure (1 point)""",
    )


def now_and_then(rng):
    """Follow the error of a network that is fed the truth every few steps."""
    r = float(rng.choice([0.5, -0.5, 2.0, 3.0]))
    off, every = float(rng.choice([0.1, 0.2])), int(rng.choice([3, 4]))
    errors = []
    for t in range(8):
        errors.append(off + (r * errors[-1] if t % every else 0))
    most = max(map(abs, errors))
    free = [off]
    for _ in range(3):
        free.append(off + r * free[-1])
    limit = off / (1 - r)
    ends = (
        f"It approaches {limit:.3g}, where a step leaves it as it is: $e = {r:g}e + {off:g}$"
        if abs(r) < 1
        else f"It grows without bound, because each step multiplies it by {r:g}"
    )
    return Question(
        kind="compute",
        title="The truth now and then",
        minutes=10,
        text=f"""A network is fed one number at each step and outputs the next. If the number that
it is fed is wrong by $e$, its output is wrong by ${r:g}e + {off:g}$. Step 1 is fed the true
number.

1. It runs free. How large is its error after each of the first four steps? What happens to the
error in the long run?
2. Now step 1 and every {"third" if every == 3 else "fourth"} step after it are fed the true
number, and the others the network's own output. What are the errors of the first eight steps, and
how large can the error become?
3. The output of another network is wrong by $0.9e + {off:g}$. Can teacher forcing tell the two
networks apart? Give the reason.""",
        key=f"""1. {", ".join(f"{e:.4g}" for e in free)}. {ends}
(4 points)
2. {", ".join(f"{e:.4g}" for e in errors)}; never more than {most:.4g} (4 points)
3. No: fed the truth, e is 0, so both are wrong by {off:g} at each step and have the same loss
(2 points)""",
    )


PLACES = (
    ("rain", "sun", "bus", "bike"),
    ("door", "gate", "key", "code"),
    ("tea", "milk", "lemon", "sugar"),
)


def mixture(rng):
    """Find the share of truth from a prediction, and see what it does to texts."""
    first, second, one, other = PLACES[int(rng.integers(len(PLACES)))]
    # The first word's probability, then those of `one` after each of the two words.
    pa, given, elsewhere = [(0.5, 0.9, 0.1), (0.6, 0.9, 0.4), (0.5, 0.8, 0.2)][int(rng.integers(3))]
    share = float(rng.choice([0.25, 0.5, 0.75]))
    alone = pa * given + (1 - pa) * elsewhere
    q = share * given + (1 - share) * alone
    q_other = share * elsewhere + (1 - share) * alone
    return Question(
        kind="compute",
        title="How much truth was it fed?",
        minutes=12,
        text=f"""In a text of two words, the first is *{first}* with probability {pa:g}, and
otherwise *{second}*. The second word is *{one}* with probability {given:g} after *{first}* and
{elsewhere:g} after *{second}*, and otherwise *{other}*. A network is trained by scheduled
sampling: with probability ε, its second step is fed the true first word, and otherwise one that
the network sampled. Its target is the true second word. It learns as well as it can, and after
*{first}* it then gives *{one}* the probability {q:.4g}.

1. How often is the second word *{one}* in the true texts?
2. What was ε?
3. Which probability does the network give to *{one}* after *{second}*?
4. The network writes texts of its own. How often is *{one}* the second word? And what is
wrong with its texts?""",
        key=f"""1. {pa:g} · {given:g} + {1 - pa:g} · {elsewhere:g} = {alone:.4g} (2 points)
2. A word that the network sampled says nothing about the true second word, so ε · {given:g} +
(1 − ε) · {alone:.4g} = {q:.4g}, and ε = {share:g} (4 points)
3. {share:g} · {elsewhere:g} + {1 - share:g} · {alone:.4g} = {q_other:.4g} (2 points)
4. {pa:g} · {q:.4g} + {1 - pa:g} · {q_other:.4g} = {alone:.4g}, as often as in the true texts. But
its words depend on each other less than they should: the difference between the two predictions
is {q - q_other:.3g} instead of {given - elsewhere:.3g} (4 points)""",
    )


LEAK, DRIFT, FORM = range(3)
TEXTS = (
    "the same symbol forever, whichever it is given first",
    "texts that look right for about 20 symbols, and then less and less so",
    "a first symbol that may well come first, and nonsense from the second one on",
)
REASONS = (
    "Each step is fed its own target: the shift by one step is missing. No prediction can cost "
    "less than the entropy, so such a loss means that it copies. In use, it copies what it is fed",
    "There is no bug. Fed the truth, it is nearly as good as possible. This is exposure bias: it "
    "was never fed a mistake of its own, and small ones lead it farther and farther away",
    "What is fed back has another form than in training, such as probabilities or logits instead "
    "of a one-hot vector. The first step is right, because nothing has been fed back, and mistakes "
    "that grow would take longer",
)
TESTS = (
    "Train it on fair coins. A loss below ln 2 per coin proves the leak",
    "Feed it the truth for 20 steps more. If its text is then right for 20 symbols more, its "
    "single steps are fine",
    "Print the vector that step 2 is fed, in training and in use. Only one of them is one-hot",
)


def two_losses(rng):
    """Find a bug, or none, in a network that is good when it is fed the truth."""
    found, kinds = int(rng.integers(3)), int(rng.choice([4, 8, 16]))
    entropy = float(rng.choice([0.5, 0.6, 0.7]))
    loss = 0.01 if found == LEAK else entropy + 0.02
    return Question(
        kind="diagnose",
        title="Good when fed the truth",
        minutes=10,
        text=f"""A source emits {kinds} different symbols. Given all symbols before, the next one
still has an entropy of {entropy:g} nats on average. A network is trained by teacher forcing until
its loss is {loss:.2f} nats per symbol, on the training text and on new text. When it runs free,
it writes {TEXTS[found]}.

1. Which loss would a network have that gives all symbols the same probability? Which is the
smallest average loss that is possible on new text?
2. What is the most likely reason for what you see? Explain how the loss and the text support it.
3. Describe a quick experiment that would confirm it.""",
        key=f"""1. ln {kinds} = {math.log(kinds):.2f} nats, and {entropy:g} nats (2 points)
2. {REASONS[found]}. (6 points: 3 for the reason, 3 for the evidence)
3. For example: {TESTS[found]}. (2 points)""",
    )


ORDINALS = {2: "second", 3: "third", 4: "fourth"}


def narrow_past(rng):
    """Prove what a network that is fed its last outputs alone can't repeat."""
    k = int(rng.integers(1, 4))
    m = k + 1
    opposite = bool(rng.integers(2))
    rule = rf"1 - y^{{(t-{m})}}" if opposite else rf"y^{{(t-{m})}}"
    reads = rf"1 - 2 y^{{(t-{m})}}" if opposite else rf"2 y^{{(t-{m})}} - 1"
    last = "output" if k == 1 else f"{k} outputs"
    others = "comes from another toss" if k == 1 else f"come from {k} other tosses"
    return Question(
        kind="prove",
        title="One output too few",
        minutes=15,
        text=rf"""In a sequence, the first {m} bits are tossed with a fair coin, and after them
each bit {"is the opposite of" if opposite else "repeats"} the one {m} steps before:
$y^{{(t)}} = {rule}$ for $t > {m}$. A network without a state predicts $y^{{(t)}}$. It is fed the
true last {last} and nothing else, not even the number of the step.

1. Prove that its expected loss at each step is at least ln 2, whatever its weights are and however
long it is trained.
2. Give the smallest expected loss of a step $t > {m}$ if the network is fed the last {m} outputs,
and a network that reaches it as closely as you like.
3. The network of part 2 runs free and chooses the wrong bit once, at a step after {m}. Which of the
following bits are wrong? Does teacher forcing ever show the network what happened there?""",
        key=rf"""1. For $t \le {m}$, the bit is a new toss. For $t > {m}$, it follows from the
bit {m} steps before, and so from a toss, while the last {last} {others}, independent of it. So
given all that the network receives, the bit is 0 or 1 with probability 1/2 each. If it predicts 1
with probability q, it pays −½ ln q − ½ ln(1 − q), which is smallest at q = ½: ln 2. (8 points: 3
for the independence, including {m} different tosses, 2 for the conditional probability, 3 for the
smallest loss)
2. The smallest is 0. For example $p = \sigma(K ({reads}))$ with a large K: the oldest of
the {m} outputs is {"turned around" if opposite else "copied"}. (3 points)
3. Every {ORDINALS[m]} bit after it, forever: each is
computed from a wrong one, and nothing corrects it. Teacher forcing doesn't: each step is fed the
truth, so only a single prediction would be wrong. (4 points)""",
    )


TEMPLATES = [elevator, now_and_then, mixture, two_losses, narrow_past]
