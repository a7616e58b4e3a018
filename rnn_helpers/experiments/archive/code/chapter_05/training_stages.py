"""How does the text that a network writes change during training?"""

import re
from collections.abc import Iterable

import numpy as np

from rnn_helpers.experiments import SHARE, Verdict, experiment
from rnn_helpers.experiments.data import ALL, Data, estimate, ranged
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.experiments.words import Estimate
from rnn_helpers.tasks import characters

LETTERS = 3  # of the shortest word that counts
WITHIN = 80  # characters within which a bracket must be closed
READ = 50  # characters of a prompt
SHOWN = 240  # characters that are kept of a text
# what likeness is counted in, with the sign that means nearer to the text
MEASURES = {
    "bits per character": ("bits", -1),
    "words": ("words", 1),
    "pairs of words": ("pairs", 1),
    "closed brackets": ("brackets", 1),
}
_NAMES = {"words": "words", "pairs": "pairs of words", "brackets": "closed brackets"}


def words(text: str) -> list[str]:
    """List words of three letters or more, without a word that the text's ends may cut."""
    return re.findall(rf"(?<=[^A-Za-z])[A-Za-z]{{{LETTERS},}}(?=[^A-Za-z])", text)


def pairs(text: str) -> list[str]:
    """List pairs of words with one space between them, without words that may be cut."""
    return re.findall(r"(?<=[^A-Za-z])(?=([A-Za-z]+ [A-Za-z]+)[^A-Za-z])", text)


def closed(text: str) -> list[bool]:
    """Tell for each opening bracket whether it is closed in time, with no other in between."""
    pair = re.compile(rf"\([^()]{{0,{WITHIN - 1}}}\)")
    opened = re.finditer(r"\(", text[:-WITHIN])
    return [pair.match(text, bracket.start()) is not None for bracket in opened]


def shares(texts: list[str], seen: dict[str, set[str]]) -> dict[str, float | None]:
    """Return the shares of words and pairs that occur in `seen`, and of brackets that close."""
    found = {
        "words": [word in seen["words"] for text in texts for word in words(text)],
        "pairs": [pair in seen["pairs"] for text in texts for pair in pairs(text)],
        "brackets": [one for text in texts for one in closed(text)],
    }
    return {what: np.mean(each) if each else None for what, each in found.items()}


def numbers(rows):
    """Count the networks that improve at every stage, and list the measures that improve."""
    gained = {
        name: np.diff([row[key] for row in rows], axis=0) * sign
        for name, (key, sign) in MEASURES.items()
    }
    # the claim is about the whole of training, not about each of its stages
    whole = {name: Estimate.mean(each.sum(axis=0)) for name, each in gained.items()}
    better = ((gained["bits per character"] > 0) & (gained["words"] > 0)).all(axis=0)
    nearer = [
        name for name, each in gained.items() if all(Estimate.mean(stage).low > 0 for stage in each)
    ]
    return {
        "better": Estimate.rate(better),
        "gains": whole,
        "improved": _joined(name for name, gain in whole.items() if gain.low > 0),
        "nearer": _joined(nearer),
        "others": _joined(name for name in gained if name not in nearer).capitalize(),
        "first": np.mean(rows[0]["words"]),
        "first_steps": rows[0]["steps"],
        "last": np.mean(rows[-1]["words"]),
        "last_steps": rows[-1]["steps"],
        "at": {
            row["steps"]: {key: np.mean(row[key]) for key in ("words", "pairs", "brackets")}
            for row in rows
        },
        "unseen": rows[0]["text"],
        "half": {key: _half(rows, key) for key in _NAMES},
    }


def _joined(names: Iterable[str]) -> str:
    return " and ".join(", ".join(names).rsplit(", ", 1))


def _half(rows: list[dict], key: str) -> str:
    """Name the stage at which half of the text's own share is passed."""
    passed = (row for row in rows if np.mean(row[key]) > row["text"][key] / 2)
    return next((f"after {row['steps']} minibatches" for row in passed), "at no stage")


def table(rows):
    """Tabulate bits and shares for each stage of training."""
    stages = [
        {"minibatches": row["steps"], "bits per character": f"{Estimate.mean(row['bits']):.2f}"}
        | {name: f"{Estimate.mean(row[key], SHARE):.2f}" for key, name in _NAMES.items()}
        for row in rows
    ]
    own = {name: f"{rows[0]['text'][key]:.2f}" for key, name in _NAMES.items()}
    return [*stages, {"minibatches": "the text itself", **own}]


def data(rows):
    """Return bits and shares for each stage of training."""

    def line(key):
        points = [estimate(ranged(row[key]), x=row["steps"]) for row in rows]
        return {"label": _NAMES.get(key, ""), "points": points}

    own = rows[0]["text"]
    bits = {"title": "", "lines": [line("bits")]}
    shares = {
        "title": "",
        "measure": "share of what is written",
        "unit": "of all that are written",
        "share": True,
        "lines": [line(key) for key in _NAMES],
        "marks": [(own[key], f"{name} in the text") for key, name in _NAMES.items()],
    }
    return Data(
        question="How does the writing of a network change during training?",
        measure="bits per character",
        unit="bits per character",
        spread=ALL,
        panels=[bits, shares],
        x="minibatches",
        log="x",
    )


@experiment(
    claim="What a network writes becomes more like its text in the course of training.",
    source="Favaro, example I",
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
    numbers=numbers,
    headline=(
        "better",
        "share of networks that predict better and write a larger share of words of the text at "
        "each stage",
    ),
    finding="After {last_steps} minibatches, {last:.0%} of the words that networks write are words "
    "of the text; after {first_steps}, {first:.0%} are.",
    verdict=Verdict(
        holds=(
            lambda n: all(gain.low > 0 for gain in n.gains.values()),
            "Holds. By each of four measures, networks write more like their text after "
            "{last_steps} minibatches than after {first_steps}.",
        ),
        in_part=(
            lambda n: (
                any(gain.low > 0 for gain in n.gains.values())
                and any(gain.high < 0 for gain in n.gains.values())
            ),
            "Holds in part, if likeness is measured by {improved}.",
        ),
        fails=(
            lambda n: all(gain.high < 0 for gain in n.gains.values()),
            "Does not hold. After {last_steps} minibatches, networks write less like their text "
            "than after {first_steps}.",
        ),
    ),
    saw=[
        "A word or a pair of words counts if the training text contains it. Networks reach more "
        "than half of the share in the text itself {half[words]} for words, {half[pairs]} for "
        "pairs of words, and {half[brackets]} for closed brackets.",
        (lambda n: n.others, "{others} don't improve at every stage."),
    ],
    table={"How networks predict, and the shares of what they write": table},
    data=data,
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
    """Return prompts (READ, number): the characters before paragraphs all over a text."""
    ends = np.array([end.end() for end in re.finditer("\n\n", text) if end.end() >= READ])
    chosen = ends[np.linspace(0, len(ends) - 1, number).round().astype(int)]
    return np.stack([tokens[end - READ : end] for end in chosen], axis=1)
