"""What a network writes after little training, after more, and at the end. (P46)"""

import re

import numpy as np

from rnn_helpers.experiments import SHARE, Summary, experiment, mean_interval, rate_interval
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.tasks import characters

LETTERS = 3  # of the shortest word that counts
WITHIN = 80  # characters, in which a bracket is to be closed
READ = 50  # characters of a prompt
SHOWN = 240  # characters that are kept of a text
# what likeness is counted in, with the sign that means nearer to the text
MEASURES = {
    "bits": ("bits", -1),
    "words": ("words", 1),
    "pairs of words": ("pairs", 1),
    "closed brackets": ("brackets", 1),
}


def words(text: str) -> list[str]:
    """Words of three letters or more, but for one that the text's first or last letter may cut."""
    return re.findall(rf"(?<=[^A-Za-z])[A-Za-z]{{{LETTERS},}}(?=[^A-Za-z])", text)


def pairs(text: str) -> list[str]:
    """Words of any length with the next, one space between, but for those that may be cut."""
    return re.findall(r"(?<=[^A-Za-z])(?=([A-Za-z]+ [A-Za-z]+)[^A-Za-z])", text)


def closed(text: str) -> list[bool]:
    """Whether a round bracket is closed in time, with no other between: for each that opens."""
    pair = re.compile(rf"\([^()]{{0,{WITHIN - 1}}}\)")
    opened = re.finditer(r"\(", text[:-WITHIN])
    return [pair.match(text, bracket.start()) is not None for bracket in opened]


def shares(texts: list[str], seen: dict[str, set[str]]) -> dict[str, float | None]:
    """Shares of the words and pairs of texts that were seen, and of their brackets that close."""
    found = {
        "words": [word in seen["words"] for text in texts for word in words(text)],
        "pairs": [pair in seen["pairs"] for text in texts for pair in pairs(text)],
        "brackets": [one for text in texts for one in closed(text)],
    }
    return {what: np.mean(each) if each else None for what, each in found.items()}


def summarise(rows):
    """Count the networks that are better at every stage, and say in what the texts come nearer."""
    steps_up = {
        name: np.diff([row[key] for row in rows], axis=0) * sign
        for name, (key, sign) in MEASURES.items()
    }
    better = ((steps_up["bits"] > 0) & (steps_up["words"] > 0)).all(axis=0)
    share = rate_interval(int(better.sum()), len(better))
    nearer = [
        name
        for name, gains in steps_up.items()
        if all(mean_interval(gain)[1] > 0 for gain in gains)
    ]
    others = [name for name in steps_up if name not in nearer]
    if not nearer:
        verdict = "does not hold"
    elif others:
        verdict = (
            f"holds if counted in {', '.join(nearer)}; {', '.join(others)} do not gain at every "
            "stage"
        )
    else:
        verdict = "holds"

    def told(what):
        each = ", ".join(
            "{:.2f} ({:.2f} to {:.2f})".format(*mean_interval(r[what], SHARE)) for r in rows
        )
        return f"{each}; the text's own {rows[0]['text'][what]:.2f}"

    def half(what):
        reached = (row for row in rows if np.mean(row[what]) > rows[0]["text"][what] / 2)
        return next((f"by {row['steps']}" for row in reached), "at none of them")

    steps = [row["steps"] for row in rows]
    return Summary(
        *share,
        "share of networks that predict better and write more words of the text at each stage",
        verdict,
        f"After {', '.join(map(str, steps[:-1]))} and {steps[-1]} minibatches: bits a character "
        + ", ".join("{:.2f} ({:.2f} to {:.2f})".format(*mean_interval(r["bits"])) for r in rows)
        + f"; words that the text has {told('words')}; pairs of words {told('pairs')}; brackets "
        f"that close {told('brackets')}. Half of the text's own share is passed {half('words')} "
        f"for words, {half('pairs')} for pairs, {half('brackets')} for brackets.",
    )


@experiment(
    "training-stages",
    claim="What a network writes becomes more like the text in the course of its training.",
    source="Favaro, example I (P46)",
    chapter="05",
    quick={
        "seeds": 2,
        "eta": 0.03,
        "n_h": 48,
        "T": 32,
        "batch_size": 16,
        "steps": 240,
        "stages": [10, 60, 240],
        "prompts": 10,
        "length": 500,
    },
    full={
        "seeds": 10,
        "eta": 0.02,
        "n_h": 128,
        "T": 32,
        "batch_size": 32,
        "steps": 1400,
        "stages": [20, 100, 400, 1400],
        "prompts": 30,
        "length": 1000,
    },
    summarise=summarise,
)
def run(config, seeds):
    """Train LSTMs of 128 units on the characters of Python's language reference, 1400 minibatches.
    As they were after 20, 100, 400 and 1400, let each go on from 30 ends of paragraphs of unseen
    text, 1000 characters drawn at temperature 1. Count the words of three letters or more and the
    pairs of words that the text to learn from has, and the round brackets that are closed within 80
    characters.
    """
    corpus = characters("topics")
    unseen = corpus.decode(corpus.held_out)
    learned_from = corpus.decode(corpus.train)
    seen = {"words": set(words(learned_from)), "pairs": set(pairs(learned_from))}
    prompts = _paragraphs(corpus.held_out, unseen, config["prompts"])
    measured = [[] for _ in config["stages"]]
    for seed in seeds:
        kept = {}

        def keep(step, params, loss, kept=kept):
            if step in config["stages"]:
                kept[step] = params

        network = Learned("LSTM", corpus, config["eta"], seed, config, keep)
        for at, stage in zip(measured, config["stages"], strict=True):
            network.params = kept[stage]
            written = network.write(prompts, [1.0], config["length"], [seed, 1])[:, 0]
            texts = [corpus.decode(text) for text in written.T]
            at.append(
                {"bits": network.bits(corpus.held_out), "sample": texts[0][:SHOWN]}
                | shares(texts, seen)
            )
    own = shares([unseen], seen)
    return [
        {
            "steps": stage,
            **{key: [one[key] for one in at] for key in ("bits", *own)},
            "text": own,
            "samples": [one["sample"] for one in at[:2]],
        }
        for stage, at in zip(config["stages"], measured, strict=True)
    ]


def _paragraphs(tokens, text, number):
    """Prompts (READ, number): what comes before a paragraph, from all over a text."""
    ends = np.array([end.end() for end in re.finditer("\n\n", text) if end.end() >= READ])
    chosen = ends[np.linspace(0, len(ends) - 1, number).round().astype(int)]
    return np.stack([tokens[end - READ : end] for end in chosen], axis=1)
