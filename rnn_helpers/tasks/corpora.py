"""Texts as sequences of characters, and the bits that tables of counts need for them."""

import gzip
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from rnn_helpers.validate import (
    MOST,
    as_array,
    as_count,
    as_generator,
    as_kind,
    as_number,
    as_tokens,
    brief,
    is_file,
    several,
)

UNKNOWN = "\N{BULLET}"
"""The character that stands for every rare one; printed samples stay readable with it."""

ALPHABET = 96
"""Largest number of distinct characters a corpus keeps, `UNKNOWN` among them."""

LEAST = 2000
"""Fewest characters a cleaned text must have: less teaches a network nothing."""

# Typographic characters, and the plain ones that mean the same.
_PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "--", "…": "...", "\u00a0": " "}
)


@dataclass(frozen=True)
class Corpus:
    """A cleaned text, its alphabet, and its two parts as tokens.

    Attributes
    ----------
    name : str
        Where the text comes from.
    text : str
        The whole cleaned text.
    alphabet : str
        Its distinct characters in order; a character's token is its place in it.
    train, held_out : ndarray of int, shape (n,)
        The tokens of the beginning, to learn from, and of the end, to measure on.
    """

    name: str
    text: str = field(repr=False)
    alphabet: str
    train: np.ndarray = field(repr=False)
    held_out: np.ndarray = field(repr=False)

    def encode(self, text: str) -> np.ndarray:
        """Turn characters into tokens.

        Parameters
        ----------
        text : str
            Characters of the alphabet; typographic quotes, dashes and dots are made plain.

        Returns
        -------
        ndarray of int, shape (n,)
        """
        if not isinstance(text, str):
            raise TypeError(f"text is a {type(text).__name__}, expected a string")
        text = text.translate(_PLAIN)
        if strange := set(text) - set(self.alphabet):
            raise ValueError(
                f"text holds {min(strange)!r}, which is not in the alphabet of {self.name!r}; "
                f"expected characters of {self.alphabet!r}"
            )
        places = {character: token for token, character in enumerate(self.alphabet)}
        return np.array([places[character] for character in text], dtype=np.intp)

    def decode(self, tokens: Sequence[int] | np.ndarray) -> str:
        """Turn tokens into characters.

        Parameters
        ----------
        tokens : array_like of int, shape (n,)
            Places in the alphabet.
        """
        return "".join(self.alphabet[token] for token in _tokens(tokens, len(self.alphabet)))


def characters(source: str | Path, held_out: float = 0.1) -> Corpus:
    """Read a text, clean it, and split it into a part to learn from and one to measure on.

    Cleaning makes typographic quotes, dashes and dots plain, expands tabs to four columns, drops
    control characters, spaces at the ends of lines and repeated empty lines, keeps a paragraph
    that occurs more than once the first time only (so that no held-out text was seen before), and
    writes `UNKNOWN` for all but the 95 most frequent characters.

    Parameters
    ----------
    source : str or pathlib.Path
        ``"topics"``, the language reference that Python's ``help()`` shows (English technical
        prose); ``"code"``, the top modules of Python's standard library without comments and
        docstrings; or the path of a text file in UTF-8. The first two come with the package,
        already cleaned, as they are in Python 3.11.7.
    held_out : float
        Share of the text, from its end, that is kept for measuring; between 0 and 1.

    Returns
    -------
    Corpus

    Raises
    ------
    ValueError
        If the file is not UTF-8 or shorter than `LEAST` characters.
    """
    if not isinstance(source, str | Path):
        raise TypeError(f"source is a {type(source).__name__}, expected a string or a path")
    held_out = as_number(
        "held_out", held_out, "a share between 0 and 1", lambda share: 0 < share < 1
    )
    text = _named(source) if source in _SHIPPED else clean(_file(Path(source)))
    if len(text) < LEAST:
        raise ValueError(
            f"source {str(source)!r} has {len(text)} characters after cleaning, "
            f"expected at least {LEAST}"
        )
    alphabet = "".join(sorted(set(text)))
    places = np.zeros(ord(alphabet[-1]) + 1, dtype=np.intp)
    places[[ord(character) for character in alphabet]] = np.arange(len(alphabet))
    tokens = places[np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)]
    tokens.flags.writeable = False
    split = round(len(tokens) * (1 - held_out))
    if min(split, len(tokens) - split) < 2:
        raise ValueError(
            f"held_out is {held_out}, which splits {len(tokens)} characters into {split} and "
            f"{len(tokens) - split}; expected at least two in each part"
        )
    return Corpus(str(source), text, alphabet, tokens[:split], tokens[split:])


def clean(text: str) -> str:
    """Clean a text as :func:`characters` describes.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        At most `ALPHABET` distinct characters; empty if nothing readable is left.
    """
    text = "\n".join(text.splitlines()).translate(_PLAIN).expandtabs(4)
    text = "".join(c for c in text if c.isprintable() or c == "\n")
    text = re.sub(r" +$", "", text, flags=re.MULTILINE).removesuffix("\n")
    paragraphs = re.split(r"\n{2,}", text)
    first: dict[str, str] = {}
    for paragraph in paragraphs:
        first.setdefault(" ".join(paragraph.split()), paragraph)
    text = "\n\n".join(filter(str.strip, first.values()))
    kept = {character for character, _ in Counter(text).most_common(ALPHABET - 1)}
    return text.translate({ord(c): UNKNOWN for c in set(text) - kept})


# Cleaned texts of Python 3.11.7, shipped because every version of Python has others. The
# fingerprint of an experiment hashes the files that are named here.
_SHIPPED = {"topics": "topics.gz", "code": "code.gz"}


@cache
def _named(source: str) -> str:
    """Read a shipped text, once."""
    packed = Path(__file__).with_name(_SHIPPED[source]).read_bytes()
    return gzip.decompress(packed).decode()


def _file(path: Path) -> str:
    if not is_file(path):
        raise ValueError(
            f"source is {brief(str(path), 300)}, expected 'topics', 'code' or the path of a "
            "text file"
        )
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"source {brief(str(path), 300)} is not UTF-8 (byte {error.start}); expected a text "
            "file in UTF-8"
        ) from None


def _tokens(tokens: Sequence[int] | np.ndarray, n: int) -> np.ndarray:
    """Check a sequence of tokens: one axis, integers, from 0 to n - 1."""
    tokens = as_array("tokens", tokens)
    if tokens.ndim != 1 or (tokens.size and tokens.dtype.kind not in "iu"):
        raise ValueError(
            f"tokens have shape {tokens.shape} and type {tokens.dtype}, "
            "expected one axis of integers"
        )
    return as_tokens("tokens", tokens if tokens.size else tokens.astype(np.intp), n)


def minibatches(
    tokens: np.ndarray,
    n_steps: int,
    batch_size: int,
    seed: int | np.random.Generator | Sequence[int] | np.ndarray,
    contiguous: bool = False,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Cut minibatches out of a long sequence of tokens, without end.

    Parameters
    ----------
    tokens : ndarray of int, shape (n,)
        The text, such as ``corpus.train``.
    n_steps : int
        Time steps T of a minibatch.
    batch_size : int
        Pieces B of text in a minibatch.
    seed : int, Generator, or sequence of these
        Chooses the pieces. A sequence of S seeds gives each seed its own, on an axis of seeds.
    contiguous : bool
        False: every piece begins at a random place. True: a piece continues where the one in the
        same column of the previous minibatch stopped, so that a state can be carried over; only the
        first pieces are placed at random.

    Yields
    ------
    x, y : ndarray of int, shape (T, B), or (T, S, B) with S seeds
        Tokens, and the token that follows each.
    """
    tokens = _tokens(tokens, MOST)
    n_steps, batch_size = as_count("n_steps", n_steps), as_count("batch_size", batch_size)
    if len(tokens) < n_steps + 1:
        raise ValueError(f"tokens are {len(tokens)}, expected more than n_steps = {n_steps}")
    if several(seed):
        streams = [minibatches(tokens, n_steps, batch_size, one, contiguous) for one in seed]
        return (
            tuple(np.stack(pieces, axis=1) for pieces in zip(*each, strict=True))
            for each in zip(*streams, strict=True)
        )
    return _pieces(tokens, n_steps, batch_size, as_generator(seed), contiguous)


def _pieces(tokens, n_steps, batch_size, rng, contiguous):
    steps = np.arange(n_steps + 1)[:, None]
    starts = rng.integers(len(tokens) - n_steps, size=batch_size)
    while True:
        piece = tokens[(starts + steps) % len(tokens)]
        yield piece[:-1], piece[1:]
        if contiguous:  # around the end, the text begins again
            starts = (starts + n_steps) % len(tokens)
        else:
            starts = rng.integers(len(tokens) - n_steps, size=batch_size)


def unigram_bits(corpus: Corpus) -> float:
    """Bits per held-out character of a model that knows how frequent each character is.

    Frequencies are counted in the training part, with one added to every count.
    """
    as_kind("corpus", corpus, Corpus, "what characters(...) returns")
    counts = np.bincount(corpus.train, minlength=len(corpus.alphabet)) + 1
    return float(-np.log2(counts[corpus.held_out[1:]] / counts.sum()).mean())


def bigram_bits(corpus: Corpus) -> float:
    """Bits per held-out character of a model of character bigrams.

    Pairs are counted in the training part, with one added to every count. Measured, like
    :func:`unigram_bits`, on every held-out character but the first.
    """
    as_kind("corpus", corpus, Corpus, "what characters(...) returns")
    n = len(corpus.alphabet)
    pairs = np.bincount(corpus.train[:-1] * n + corpus.train[1:], minlength=n * n).reshape(n, n) + 1
    counts = pairs[corpus.held_out[:-1], corpus.held_out[1:]]
    return float(-np.log2(counts / pairs.sum(axis=1)[corpus.held_out[:-1]]).mean())
