"""Set 2: language models, teacher forcing, distributions over sequences (chapters 05 to 07)."""

import itertools
import math
from fractions import Fraction

import numpy as np

from course.problem import Mistake, Problem, Proof

TITLE = "Language models, teacher forcing, distributions over sequences"
CHAPTERS = "05", "06", "07"


def learning_table(public, hidden):
    """Charge a table that learns while it reads (chapters 05 and 07)."""
    start = float(public.choice([0.5, 1, 2]))
    counted = bool(public.integers(2))
    whole, other = "sum(map(len, lines))", "sum(len(line) + 1 for line in lines)"
    if counted:
        whole, other = other, whole
    unit = "characters and ends together" if counted else "characters, without the ends"
    code = f'''
def learning_table(lines, alphabet):
    """Return the bits per character that the table pays."""
    ### BEGIN SOLUTION
    counts, bits = {{}}, 0.0
    for line in lines:
        before = "start"
        for symbol in [*line, "end"]:
            row = counts.setdefault(before, dict.fromkeys([*alphabet, "end"], {start}))
            bits -= np.log2(row[symbol] / sum(row.values()))
            row[symbol] += 1
            before = symbol
    return bits / {whole}
    ### END SOLUTION
'''
    pay = "            bits -= np.log2(row[symbol] / sum(row.values()))\n"
    learn = "            row[symbol] += 1\n"
    return Problem(
        name="learning_table",
        title="A table that learns while it reads",
        minutes=15,
        points=6,
        text=f"""A bigram table learns while it reads. Each line is a text of its own. A start
symbol stands before its first character, the same in every line, and an end symbol comes after
its last character. So after the start symbol and after any character, one of the characters in
`alphabet` can follow, or the end.

- At the beginning, the count of every pair of neighbors is {start:g}.
- The table predicts each character and each end from the symbol before it. Its probability is the
  count of the pair, divided by the sum of the counts of all pairs that begin with the same symbol.
- The table pays $-\\log_2 p$ bits for what comes. After it has paid, it adds 1 to the count of
  this pair. It keeps its counts from line to line.

Write `learning_table(lines, alphabet)`. Both `alphabet` and each of the `lines` are strings. The
function returns the bits per character: all the bits that the table pays for the lines and their
ends, divided by **the number of {unit}**.""",
        code=code,
        example="# The a and the end have the probability 1/2 each, so the line costs 2 bits.\n"
        f'print(learning_table(["a"], "a"))  # {2 / (1 + counted):.1f}',
        cases=[_lines(hidden, n) for n in (2, 2, 3, 4)],
        hint='Take the alphabet "a" and the lines "a" and "a". Write down the table of counts '
        "before each of the four predictions. What does your function print at each of them?",
        success="You paid before you learned. So the bits are a fair price: a program that "
        "restores the text could make the same predictions.",
        mistakes={
            "the table learns before it pays": Mistake(
                pay + learn,
                learn + pay,
                "When the table predicts a symbol, does it know this symbol already?",
                0.5,
            ),
            "the counts are lost at the end of a line": Mistake(
                'before = "start"',
                'before, counts = "start", {}',
                "A line comes twice. Does the table pay as much for it the second time?",
                0.5,
            ),
            "a line begins after the end of another": Mistake(
                'before = "start"',
                'before = "end" if bits else "start"',
                "Which symbol stands before the first character of the second line?",
                0.7,
            ),
            "the end isn't paid for": Mistake(
                '[*line, "end"]:',
                "line:",
                "Somebody restores the lines from what the table paid for. How do they find out "
                "that a line is over?",
                0.5,
            ),
            "nats for bits": Mistake("np.log2", "np.log", "Which logarithm of 1/2 is −1?", 0.7),
            "divided by another number": Mistake(
                whole,
                other,
                "By what do you divide? Do the ends of the lines belong to it?",
                0.8,
            ),
        },
    )


def _lines(rng, n):
    """Return arguments of `learning_table`: three to five short lines of n kinds of characters."""
    alphabet = "".join(rng.choice([*"aehlst"], n, replace=False))
    lengths = rng.integers(2, 7, size=int(rng.integers(3, 6)))
    return ["".join(rng.choice([*alphabet], size=k)) for k in lengths], alphabet


def _report(words, characters, padding, cost, loss, perplexity, fault):
    """Return the lines of a report, its two numbers and its verdict; line `fault` is wrong."""
    steps = words + padding
    total = steps * loss
    paid = words * loss if fault == 2 else total - padding * cost
    bits = paid * math.log(2) if fault == 3 else paid / math.log(2)
    a = bits / (steps if fault == 4 else characters)
    b = math.log(perplexity) if fault == 5 else math.log2(perplexity)
    better = "A" if a < b else "B"
    of_words = f"{words:,} of the steps were words, at {loss:.2f} nats each. So they"
    of_padding = f"The padding cost {padding * cost:,.0f} nats of these. So the words"
    taken = f"A took {steps:,} steps for the text."
    contained = f"The text has {characters:,} characters."
    lines = [
        f"The test took {steps:,} steps at {loss:.2f} nats each on average. So A paid "
        f"{total:,.0f} nats in all.",
        f"{of_words if fault == 2 else of_padding} cost {paid:,.0f} nats.",
        f"In bits, that is {bits:,.0f}.",
        f"{taken if fault == 4 else contained} So A pays {a:.3f} bits per character.",
        f"B has a perplexity of {perplexity:g} per character. So it pays {b:.3f} bits per "
        "character.",
        f"So {better} predicts the text better.",
    ]
    return lines, a, b, better


def two_reports(public, hidden):
    """Find the wrong step in the comparison of two models (chapter 05)."""
    fault = int(public.integers(2, 6))
    while True:
        words = 1000 * int(public.integers(1, 5))
        characters = words * int(public.integers(5, 7))
        padding = words * int(public.integers(1, 4))
        cost, perplexity = float(public.choice([0.05, 0.1])), float(public.choice([2.5, 3, 4]))
        loss = round(float(public.uniform(1.2, 4.5)), 2)
        setup = words, characters, padding, cost, loss, perplexity
        lines, wrong_a, wrong_b, wrong = _report(*setup, fault)
        _, a, b, better = _report(*setup, 0)
        if better != wrong and min(abs(a - b), abs(wrong_a - wrong_b)) > 0.1 and 1 < a < 3:
            break
    answer = f'"line": {fault}, "a": {a:.4f}, "b": {b:.4f}, "better": "{better}"'
    told = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    key = '"b"' if fault == 5 else '"a"'
    right, printed = (b, wrong_b) if fault == 5 else (a, wrong_a)
    code = f'''
def two_reports():
    """Return the wrong line, the bits per character of A and of B, and the better model."""
    ### BEGIN SOLUTION
    return {{{answer}}}
    ### END SOLUTION
'''
    return Problem(
        name="two_reports",
        title="A comparison that went wrong",
        minutes=15,
        points=6,
        text=f"""Model A predicts words, and model B predicts characters. Both were tested on the
same text, with {words:,} words and {characters:,} characters. For A, the text was cut into
sentences, and the sentences were padded. No mask was used, so the mean loss of A is the mean over
all steps, words and padding. Of these steps, {padding:,} were padding, and each of them cost
{cost:g} nats. Spaces and punctuation count as parts of the words before them. Somebody wrote
this report, which has one mistake:

{told}

All later lines compute correctly with the numbers of the lines before them, and still the verdict
is wrong.

Write `two_reports()`. It returns a dictionary: `"line"` is the number of the line with the
mistake, `"a"` and `"b"` are the right bits per character of A and of B, with at least three
decimals, and `"better"` is `"A"` or `"B"`, the model that predicts the text better.""",
        code=code,
        example="assert set(two_reports()) == {'line', 'a', 'b', 'better'}, 'expected these keys'",
        tolerance=2e-3,
        parts={"line": 0.4, "a": 0.3, "b": 0.2, "better": 0.1},
        hint="Write down the unit of every number: nats or bits, in all or per step, per word or "
        "per character. Between which two lines do the units not fit?",
        success="Models can be compared by their bits on the same text, if both count the same "
        "symbols, in the same unit, and nothing but the text.",
        mistakes={
            "the number of the report": Mistake(
                f"{key}: {right:.4f}",
                f"{key}: {printed:.4f}",
                "You name a line that is wrong. Which of the later numbers depend on it?",
                0.6,
            ),
            "a line that only uses a wrong number": Mistake(
                f'"line": {fault}',
                f'"line": {fault + 1}',
                "Would this line be right if the number from the line before it were right?",
                0.5,
            ),
            "more bits are better": Mistake(
                f'"better": "{better}"',
                f'"better": "{wrong}"',
                "Does a model pay more or less for a text that it predicts well?",
                0.8,
            ),
            "bits per word": Mistake(
                f'"a": {a:.4f}',
                f'"a": {a * characters / words:.4f}',
                "By which number of symbols do you divide what A paid?",
                0.6,
            ),
            "nats per character": Mistake(
                f'"a": {a:.4f}',
                f'"a": {a * math.log(2):.4f}',
                "In which unit did A pay?",
                0.6,
            ),
        },
    )


# What a display tells of the inputs so far: the text, a state before step 1, its rule, its answer.
# Each state is more detailed than necessary; `_smallest` merges those that needn't differ.
TASKS = (
    (
        "whether the last three inputs are equal",
        (0, 0, 0),
        lambda s, x: (*s[1:], x),
        lambda s: len(set(s)) == 1,
    ),
    (
        "whether at least two of the last three inputs are 1",
        (0, 0, 0),
        lambda s, x: (*s[1:], x),
        lambda s: sum(s) >= 2,
    ),
    (
        "whether at least one of the last three inputs is 1",
        (0, 0, 0),
        lambda s, x: (*s[1:], x),
        lambda s: 1 in s,
    ),
    (
        "whether the last two inputs differ",
        (0, 0),
        lambda s, x: (s[1], x),
        lambda s: s[0] != s[1],
    ),
    (
        "whether the number of ones so far can be divided by 3",
        0,
        lambda s, x: (s + x) % 3,
        lambda s: s == 0,
    ),
    (
        "whether the last input is 1 and the number of ones so far is odd",
        (0, 0),
        lambda s, x: ((s[0] + x) % 2, x),
        lambda s: s == (1, 1),
    ),
)


def _smallest(start, rule, answer):
    """Return the smallest display: the symbol after each symbol and input, and the answers."""
    states = [start]
    for state in states:
        states += [new for new in (rule(state, x) for x in (0, 1)) if new not in states]
    kinds = {state: int(answer(state)) for state in states}
    while True:
        finer = {s: (kinds[s], kinds[rule(s, 0)], kinds[rule(s, 1)]) for s in states}
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(finer.values()))}
        done = len(numbers) == len(set(kinds.values()))
        kinds = {s: numbers[finer[s]] for s in states}
        if done:
            break
    first = {kinds[s]: s for s in reversed(states)}
    after = [[kinds[rule(first[k], x)] for x in (0, 1)] for k in range(len(first))]
    return after, [int(answer(first[k])) for k in range(len(first))]


def _harm(after, answer):
    """Return how many steps after a slip an answer can still be wrong; −1 without a limit."""
    pairs, n = set(itertools.permutations(range(len(after)), 2)), len(after)
    last = -1
    for step in range(n * n + 1):
        if any(answer[a] != answer[b] for a, b in pairs):
            last = step
        pairs = {(after[a][x], after[b][x]) for a, b in pairs for x in (0, 1)}
        pairs = {(a, b) for a, b in pairs if a != b}
    return -1 if last == n * n else last


def display(public, hidden):
    """Design the symbols of a network without a state, and see how a slip heals (06 and 07)."""
    task, start, rule, tells = TASKS[int(public.integers(len(TASKS)))]
    negated = bool(public.integers(2))
    after, answer = _smallest(start, rule, lambda state: tells(state) != negated)
    n, harm = len(after), _harm(after, answer)
    yes, no = (0, 1) if negated else (1, 0)
    pair = next(p for p in itertools.combinations(range(n), 2) if len({answer[k] for k in p}) == 1)
    merged = [[pair[0] if s == pair[1] else s for s in row] for row in after]
    runs = [*itertools.product((0, 1), repeat=6), *hidden.integers(2, size=(4, 30)).tolist()]
    code = f'''
def display():
    """Return the table of the display, its answers, and how long a slip does harm."""
    ### BEGIN SOLUTION
    after = {after}
    answer = {answer}
    harm = {harm}
    return {{"after": after, "answer": answer, "harm": harm}}
    ### END SOLUTION
'''

    def behavior(result):
        """Return the answers along each run, and the harm of a slip."""
        table, told = (np.asarray(result[name]) for name in ("after", "answer"))
        size = len(table)
        if size > n or table.shape != (size, 2) or told.shape != (size,):
            raise ValueError("a display of another form")
        if not {*table.ravel().tolist()} <= {*range(size)}:
            raise ValueError("a symbol that the display doesn't have")
        answers = []
        for run in runs:
            symbol = 0
            for x in run:
                symbol = int(table[symbol, x])
                answers.append(int(told[symbol]))
        return {"answers": answers, "harm": result["harm"]}

    if harm < 0:
        limits = {
            "a slip is thought to heal": Mistake(
                "harm = -1",
                "harm = 0",
                "Let the right display and the one that slipped receive the same inputs. Is there "
                "a step from which on both always show the same symbol?",
                0.7,
            ),
        }
    else:
        limits = {
            "the slip itself is counted": Mistake(
                f"harm = {harm}",
                f"harm = {harm + 1}",
                "Take the worst slip. Which number does the first step after it have?",
                0.8,
            ),
            "a slip is thought never to heal": Mistake(
                f"harm = {harm}",
                "harm = -1",
                "Let the right display and the one that slipped receive the same inputs. For how "
                "long can they show different symbols?",
                0.7,
            ),
        }
    return Problem(
        name="display",
        title="A display that remembers",
        minutes=15,
        points=6,
        text=f"""An output-recurrent network has no state. At each step it receives an input, 0 or
1, and the symbol that it showed at the step before, and it shows a new symbol. You choose what
the symbols mean. From the symbol alone, a reader has to see **{task}**.
The answer is {yes} for yes and {no} for no. Inputs before step 1 count as 0, and before step 1 the
display shows symbol 0.

There may be **at most {n} symbols**, numbered from 0. Fewer aren't enough. Write `display()`. It
returns a dictionary:

- `"after"` is a list with a pair for each symbol `s`: `after[s][x]` is the symbol that the network
  shows if it showed `s` and receives the input `x`.
- `"answer"` is a list with the answer, 0 or 1, that a reader sees in each symbol.
- `"harm"` is a number. Suppose that at one step, the network shows another of its symbols than it
  should, and afterward makes no further mistake. `harm` is the largest $k$ for which the answer
  $k$ steps after this slip can still be wrong, with the worst slip and the worst inputs. (If only
  the answer of the slip itself can be wrong, `harm` is 0. If there is no largest $k$, it is −1.)

Every display with these properties is right, however you number the symbols. It is tried on
sequences that you don't know.""",
        code=code,
        example="print(len(display()['after']), 'symbols')",
        measure=behavior,
        parts={"harm": 0.2},
        hint="Write down what must be known about the inputs so far: two pasts may share a symbol "
        "only if they have the same answer now and after all inputs that may follow.",
        success="All that a network without a state remembers has to pass through its output. "
        "Whether a slip heals depends on what the output has to remember.",
        mistakes={
            "the two columns are exchanged": Mistake(
                f"after = {after}",
                f"after = {[row[::-1] for row in after]}",
                "Which symbol does your display show after the input 1: `after[s][0]` or "
                "`after[s][1]`?",
                0.6,
            ),
            "yes and no are exchanged": Mistake(
                f"answer = {answer}",
                f"answer = {[1 - each for each in answer]}",
                "Which number stands for yes?",
                0.7,
            ),
            "two pasts share a symbol": Mistake(
                f"after = {after}",
                f"after = {merged}",
                "Two pasts with the same answer have the same symbol in your display. Is there an "
                "input after which their answers have to differ?",
                0.4,
            ),
            **limits,
        },
    )


def mean_price(public, hidden):
    """Compute what a model pays on average for texts that end (chapters 05 and 07)."""
    in_bits, per_symbol = bool(public.integers(2)), bool(public.integers(2))
    log, other = ("np.log2", "np.log") if in_bits else ("np.log", "np.log2")
    unit = "bits" if in_bits else "nats"
    texts, symbols = "price", "price / length"
    asked, result, wrong = (
        ("the mean price of a text, divided by the mean number of its symbols", symbols, texts)
        if per_symbol
        else ("the mean price of a text", texts, symbols)
    )
    one = (1 if in_bits else math.log(2)) / (1.5 if per_symbol else 1)
    code = f'''
def mean_price(source, model, longest):
    """Return what the model pays on average for the texts of the source."""
    ### BEGIN SOLUTION
    first, after, stop = source
    guess, follow, end = model
    coin = -stop * {log}(end) - (1 - stop) * {log}(1 - end)
    price, length, last = -(first * {log}(guess)).sum(), 1.0, first
    for _ in range(longest - 1):
        price += (last * coin).sum()
        last = last * (1 - stop)
        price -= (last[:, None] * after * {log}(follow)).sum()
        length += last.sum()
        last = last @ after
    return {result}
    ### END SOLUTION
'''
    return Problem(
        name="mean_price",
        title="The price of texts that end",
        minutes=20,
        points=8,
        text=f"""A source writes texts of the symbols 0 to $n-1$. It draws the first symbol with
the probabilities `first`. After each symbol $i$ it tosses a coin. With probability `stop[i]`, the
text ends. Otherwise the source draws the next symbol, which is $j$ with probability
`after[i, j]`. A text with `longest` symbols is cut off: no coin is tossed after its last symbol.

A model of the same form predicts these texts, with numbers of its own. For each symbol and for
each toss of a coin it pays $-\\log p$, where $p$ is the probability that **it** gave to what
happened. The first symbol and the tosses count like everything else. The cut is free.

Write `mean_price(source, model, longest)`. Both `source` and `model` are tuples `(first, after,
stop)` of arrays. No probability of a symbol is 0, and no coin is certain. The function
returns **{asked}**, in **{unit}**. It must be exact, so don't draw texts. And don't list them
all, because `longest` may be 40.""",
        code=code,
        example="# One symbol, and a fair coin that decides whether there is a second one\n"
        "one = np.array([1.0]), np.array([[1.0]]), np.array([0.5])\n"
        f"print(round(mean_price(one, one, 2), 3))  # {one:.3f}",
        cases=[
            (_source(hidden, n), _source(hidden, n), int(longest))
            for n, longest in ((2, 2), (3, 3), (2, hidden.integers(4, 9)), (3, 40))
        ],
        hint="Let `last[i]` be the probability that a text has at least t symbols and that symbol "
        "t is i. How do you get it for t + 1, and what is paid between the two?",
        success="You merged all texts that end in the same symbol, so the work grows with the "
        "length of a text and not with the number of texts.",
        mistakes={
            "only the toss that ends the text is paid for": Mistake(
                f" - (1 - stop) * {log}(1 - end)",
                "",
                "The coin says: go on. Was the model sure of that, or does it pay?",
                0.6,
            ),
            "the model's own texts": Mistake(
                "first, after, stop = source",
                "first, after, stop = model",
                "Who writes the texts over which the mean is taken?",
                0.4,
            ),
            "the source's own price": Mistake(
                "guess, follow, end = model",
                "guess, follow, end = source",
                "Would your result change if the model were a bad one?",
                0.4,
            ),
            "texts that have ended are paid for": Mistake(
                "last = last * (1 - stop)",
                "last = last * 1",
                "What share of the texts has a second symbol?",
                0.4,
            ),
            "a coin after the cut": Mistake(
                "    return",
                "    price += (last * coin).sum()\n    return",
                "Let `longest` be 1. Which prices are there?",
                0.8,
            ),
            "after[i, j] is read as from j to i": Mistake(
                "last @ after",
                "after @ last",
                "Does your vector still add up to the share of texts that are this long?",
                0.6,
            ),
            "another unit": Mistake(
                log, other, "Which logarithm belongs to the unit that is asked for?", 0.8
            ),
            "per symbol and per text exchanged": Mistake(
                f"return {result}",
                f"return {wrong}",
                "Is the price asked for that of a whole text?",
                0.8,
            ),
        },
    )


def _source(rng, n):
    """Return the tables of a source over n symbols, with two decimals."""

    def row():
        cuts = np.sort(rng.choice(np.arange(10, 91, 5), n - 1, replace=False))
        return np.diff([0, *cuts, 100]) / 100

    return row(), np.array([row() for _ in range(n)]), rng.integers(1, 10, size=n) / 20


def temperatures(public, hidden):
    """Prove when a temperature at each step is one for the whole text (chapters 05 and 07)."""
    top, n = ((2, 3), (3, 4), (3, 2))[int(public.integers(3))]
    power = int(public.integers(2, 4))
    p = Fraction(top, 5 if n == 2 else top + 1)
    powers = {2: ("1/2", "squares", "²"), 3: ("1/3", "third powers", "³")}
    temperature, named, _ = powers[power]
    a, b = p**power, (1 - p) ** power
    by_step = a / (a + b)
    each, alone = (p / n) ** power, (1 - p) ** power
    whole = n * each + alone
    count = {2: "two", 3: "three", 4: "four"}[n]
    return Proof(
        name="temperatures",
        title="Two ways to cool a text",
        minutes=20,
        text=rf"""A model writes texts of two symbols. The first is *a* with probability {p}, and
otherwise *b*. After *a*, {count} symbols are equally likely. After *b*, there is only one, *c*.

There are two ways to use a temperature, here {temperature}. *Step by step:* each symbol is drawn
at this temperature, so the probabilities of a step are replaced by their {named}, which are
scaled to add up to 1. *As a whole:* the same is done with the probabilities of whole texts, so
$P(\mathbf y)$ is replaced by $P(\mathbf y)^{power} / \sum_{{\mathbf z}} P(\mathbf z)^{power}$.

1. With which probability does each way write *bc*? Compute both.
2. As the temperature goes to 0, which texts does each way write, and with which probabilities?
3. Now take any model of two symbols, $P(y_1, y_2) = P(y_1) P(y_2 \mid y_1)$, in which every first
symbol has a probability above 0, and any temperature
$1/\beta > 0$. Prove: both ways give the same
distribution **if and only if** $Z(y_1) = \sum_{{y_2}} P(y_2 \mid y_1)^\beta$ is the same for every
first symbol $y_1$.
4. Name a kind of model, other than one that always writes the same text, in which both ways agree
at every temperature.""",
        solution=rf"""**1.** Step by step, *b* gets
$({1 - p})^{power} / \bigl(({p})^{power} + ({1 - p})^{power}\bigr) = {1 - by_step}$, and *c* is
certain, so *bc* has probability {1 - by_step}. As a whole, each of the {count} texts with *a* has
probability {p / n}, and *bc* has {1 - p}. So *bc* gets
$({1 - p})^{power} / \bigl({n} \cdot ({p / n})^{power} + ({1 - p})^{power}\bigr) =
{alone / whole}$.

**2.** Step by step, the first symbol is the most likely one, *a*, because {p} is more than
{1 - p}. The second is one of {count} equally likely symbols at every temperature, so each of the
{count} texts with *a* has probability 1/{n} in the limit. As a whole, the most likely text wins.
That is *bc*, because {1 - p} is more than {p / n}. Its probability goes to 1.

**3.** Let $S = \sum_{{z}} P(z)^\beta$, a sum over the first symbols. Step by step, a text has the
probability $\frac{{P(y_1)^\beta}}{{S}} \cdot \frac{{P(y_2 \mid y_1)^\beta}}{{Z(y_1)}}$. As a
whole, it has $\frac{{P(y_1)^\beta P(y_2 \mid y_1)^\beta}}{{\sum_z P(z)^\beta Z(z)}}$, since the
sum over all texts can be taken over the second symbol first. The numerators are the same. Each
first symbol has a text of positive probability, so the two agree for all texts if and only if
$S\, Z(y_1) = \sum_z P(z)^\beta Z(z)$ for every $y_1$. If this holds, $Z(y_1)$ is the same number
for every $y_1$, because the right side and $S$ don't depend on $y_1$. Conversely, if $Z$ is a
constant, the right side is $S$ times this constant, so it holds.

**4.** For example, a model whose symbols are independent: then $P(y_2 \mid y_1)$ and with it $Z$
doesn't depend on $y_1$. Or a Markov chain in which every row has the same probabilities in another
order.""",
        rubric={
            "Part 1: both probabilities are right.": 2,
            "Part 2: step by step, the first symbol is the most likely one, the second uniform.": 1,
            "Part 2: as a whole, the most likely text remains.": 1,
            "Part 3: both distributions are written with their denominators.": 2,
            "Part 3: if Z is constant, they agree.": 1,
            "Part 3: if they agree, Z is constant, since nothing else depends on the first "
            "symbol.": 2,
            "Part 4: a kind of model for which Z is constant.": 1,
        },
    )


TEMPLATES = [learning_table, two_reports, display, mean_price, temperatures]
