"""The networks of the figure translation, and how they learn to translate; needs torch."""

from random import Random

import numpy as np

from rnn_helpers.explore.weights import packed, unpacked

MOST_LETTERS = 12_000
"""In base 64, for the figure's network."""
GRU = ("U", "Uu", "Ur", "W", "Wu", "Wr", "b", "bu", "br", "bh")
NAMES = (*(f"{part}_{name}" for part in ("reader", "writer") for name in GRU), "V", "c", "h0", "Q")
READ, WRITE = 12, 16
LARGEST, RATE, BATCH = 127, 0.01, 64
END = "(end)"
UNSEEN = {"hear", "rain"}
"""No sentence in training has both words."""

SUBJECTS = {"I": "je", "you": "vous", "we": "nous", "they": "ils"}
VERBS = {
    "hear": ("entends", "entendez", "entendons", "entendent"),
    "fear": ("crains", "craignez", "craignons", "craignent"),
    "love": ("aime", "aimez", "aimons", "aiment"),
    "prefer": ("préfère", "préférez", "préférons", "préfèrent"),
}
NOUNS = {
    "rain": ("la", "pluie"),
    "snow": ("la", "neige"),
    "music": ("la", "musique"),
    "wind": ("le", "vent"),
    "noise": ("le", "bruit"),
    "thunder": ("le", "tonnerre"),
}
ADJECTIVES = {
    "cold": ("froid", "froide"),
    "gentle": ("doux", "douce"),
    "distant": ("lointain", "lointaine"),
    "beautiful": ("beau", "belle"),
}
WEATHER = {"raining": "pleut", "snowing": "neige"}


def sentence(subject, verb, adjective, noun, tonight):
    """Return an English sentence and its French translation, as tuples of words."""
    said = VERBS[verb][list(SUBJECTS).index(subject)]
    # "je" loses its vowel before another one, "beau" precedes its noun, and "tonight" comes first.
    who = "j'" if subject == "I" and said[0] in "ae" else SUBJECTS[subject]
    article, name = NOUNS[noun]
    phrase = [article, name]
    if adjective:
        place = 1 if adjective == "beautiful" else 2
        phrase.insert(place, ADJECTIVES[adjective][article == "la"])
    english = [subject, verb, *([adjective] if adjective else []), noun]
    return (
        tuple(english + ["tonight"] * tonight),
        tuple(["ce", "soir"] * tonight + [who, said, *phrase]),
    )


def corpus():
    """Return the pairs to train on, and the others."""
    pairs = [
        sentence(subject, verb, adjective, noun, tonight)
        for subject in SUBJECTS
        for verb in VERBS
        for adjective in (None, *ADJECTIVES)
        for noun in NOUNS
        for tonight in (False, True)
    ]
    Random(0).shuffle(pairs)
    known = [pair for pair in pairs if not set(pair[0]) >= UNSEEN][: len(pairs) // 2]
    others = [pair for pair in pairs if pair not in set(known)]
    weather = [(("it", "is", verb), ("il", said)) for verb, said in WEATHER.items()]
    weather += [((*source, "tonight"), ("ce", "soir", *target)) for source, target in weather]
    return known + 3 * weather, others


def vocabularies():
    """Return the English words, and the French ones with the end symbol as the last."""
    pairs = [pair for part in corpus() for pair in part]
    english, french = ({word for pair in pairs for word in pair[side]} for side in (0, 1))
    return sorted(english), [*sorted(french), END]


def make(networks=10, steps=1500):
    """Train networks with attention to translate English sentences of a few words into French.

    A gated network (GRU) of 12 units reads the words from left to right, and its states are the
    annotations. Another one of 16 units writes; it receives its last word and the context. The
    sentences come from templates, and half of them are for training. The networks differ only in
    their seeds. The figure shows the one of median accuracy on the other half.

    Parameters
    ----------
    networks : int
        Networks to train.
    steps : int
        Steps of Adam, each on 64 sentences, while the rate falls to 0.

    Returns
    -------
    dict
        ``english`` and ``french``, the words; ``network``, its weights as `packed` stores them;
        ``measured``: for each network, in the order of their seeds, the share of the other
        sentences that are ``right``, and of those right, the share in which the largest weight for
        the article is on the ``noun``; numbers of sentences; and the ``seed`` of the one shown.
    """
    english, french = vocabularies()
    known, others = corpus()
    kept, rows = [], []
    for seed in range(networks):
        kept.append(packed(_train(seed, steps), NAMES, LARGEST))
        rows.append(_tested(unpacked(kept[-1]), others, english, french))
    right = [row["right"] for row in rows]
    shown = int(np.argsort(right, kind="stable")[(networks - 1) // 2])
    return {
        "english": english,
        "french": french,
        "network": kept[shown],
        "measured": {
            "known": len(set(known)),
            "others": len(others),
            "networks": rows,
            "seed": shown,
        },
    }


def _tested(params, others, english, french):
    from rnn_helpers.figures.translation.figure import translate

    right, looks = [], []
    for source, target in others:
        written, weights = translate(params, source, english, french)
        right.append(written == list(target))
        if right[-1]:
            (article,) = (t for t, word in enumerate(written) if word in ("la", "le"))
            (noun,) = (i for i, word in enumerate(source) if word in NOUNS)
            looks.append(weights[article].argmax() == noun)
    return {"right": round(float(np.mean(right)), 3), "noun": round(float(np.mean(looks or 0)), 3)}


def _train(seed, steps):
    import torch
    from torch.nn import GRU as Gated
    from torch.nn import Linear
    from torch.nn.functional import cross_entropy, one_hot

    from rnn_helpers.nets import from_torch

    torch.manual_seed(seed)
    english, french = vocabularies()
    n, m = len(english), len(french)
    net = torch.nn.ModuleDict(
        {
            "reader": Gated(n, READ),
            "writer": Gated(m + READ, WRITE),
            "out": Linear(WRITE, m),
            "looks": Linear(WRITE, READ, bias=False),
        }
    )
    h0 = torch.nn.Parameter(0.1 * torch.randn(WRITE))
    x, read = _table([source for source, _ in corpus()[0]], english)
    y, told = _table([(*target, END) for _, target in corpus()[0]], french)
    optimizer = torch.optim.Adam([*net.parameters(), h0], lr=RATE)
    falls = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    for _ in range(steps):
        which = torch.randint(x.shape[1], (BATCH,))
        notes = net["reader"](one_hot(x[:, which], n).float())[0]
        h, o, before = h0.expand(BATCH, WRITE), [], torch.zeros(BATCH, m)
        for symbols in y[:, which]:
            scores = (notes * net["looks"](h)).sum(2).masked_fill(~read[:, which], -1e9)
            context = (scores.softmax(0)[..., None] * notes).sum(0)
            h = net["writer"](torch.cat([before, context], dim=1)[None], h[None])[1][0]
            o.append(net["out"](h))
            before = one_hot(symbols, m).float()
        there = told[:, which].flatten()
        loss = cross_entropy(torch.cat(o)[there], y[:, which].flatten()[there])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        falls.step()
    own = {"h0": h0.numpy(force=True), "Q": net["looks"].weight.numpy(force=True)}
    for part, out in (("reader", Linear(READ, 1)), ("writer", net["out"])):
        arrays = from_torch(net[part], out)
        own |= {f"{part}_{name}": arrays[name] for name in GRU}
    own |= {"V": arrays["V"], "c": arrays["c"]}
    return {name: array.astype(float) for name, array in own.items()}


def _table(sentences, words):
    """Return the places of the words, a column for each sentence, and which of them are there."""
    import torch

    longest = max(map(len, sentences))
    table = np.zeros((longest, len(sentences)), int)
    there = np.zeros(table.shape, bool)
    for j, sentence in enumerate(sentences):
        table[: len(sentence), j] = [words.index(word) for word in sentence]
        there[: len(sentence), j] = True
    return torch.from_numpy(table), torch.from_numpy(there)
