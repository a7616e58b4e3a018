"""Weighted finite automata, the language models of section 5.1, and their intersection.

All are deterministic: from a state, a symbol leads to one state or to none. So a string has at most
one walk, and all that an automaton remembers of it is the state where the walk ends.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rnn_helpers.validate import (
    as_array,
    as_count,
    as_generator,
    as_kind,
    as_list,
    as_positive,
    as_real,
    as_tokens,
    brief,
)

END = "</s>"
"""The symbol after the last of a sentence."""

_SLOWEST = 100_000  # steps after which the long run is given up
_SETTLED = 1e-15  # share of time that one of them may still move


@dataclass(frozen=True, eq=False)
class Automaton:
    """States, and from each of them the symbols that may come, their weights, and where they lead.

    Parameters
    ----------
    alphabet : sequence of str, n_s of them
        The symbols; a symbol's token is its place.
    states : sequence of str, n_q of them
        Names of the states.
    following : array_like of int, shape (n_q, n_s)
        The state, by its place, to which each symbol leads from each state; -1 for none.
    weights : array_like, shape (n_q, n_s)
        Weight of each of these transitions, above 0, and 0 where there is none. The probability of
        a symbol in a state is its weight's share of the weights there.
    start : int
        Place of the state in which a string begins.
    stop : array_like of bool, shape (n_q,)
        Whether a string may end in a state. Where a sentence has ended and no symbol may come, the
        next one begins.
    """

    alphabet: tuple[str, ...]
    states: tuple[str, ...] = field(repr=False)
    following: np.ndarray = field(repr=False)
    weights: np.ndarray = field(repr=False)
    start: int = field(repr=False)
    stop: np.ndarray = field(repr=False)

    def __post_init__(self):
        alphabet, states = _names("alphabet", self.alphabet), _names("states", self.states)
        shape = (len(states), len(alphabet))
        start = as_count("start", self.start, 0)
        following, stop = as_array("following", self.following), as_array("stop", self.stop)
        weights = as_real("weights", self.weights, float)
        for name, array, kinds, fits in (
            ("following", following, "iu", shape),
            ("weights", weights, "f", shape),
            ("stop", stop, "b", shape[:1]),
        ):
            if array.shape != fits or array.dtype.kind not in kinds:
                raise ValueError(
                    f"{name} has shape {array.shape} and dtype {array.dtype}; expected {fits}, "
                    f"{'True or False' if name == 'stop' else 'numbers'}"
                )
        if start >= len(states) or following.min() < -1 or following.max() >= len(states):
            raise ValueError(
                f"start is {start}, and following is from {following.min()} to {following.max()}; "
                f"expected states from 0 to {len(states) - 1}, and -1 for none"
            )
        if (wrong := (weights < 0) | ((weights > 0) != (following >= 0))).any():
            raise ValueError(
                f"weights hold {weights[wrong][0]} where following is {following[wrong][0]}; "
                "expected a number above 0 for a state, and 0 for -1"
            )
        parts = {"following": following.astype(np.intp), "weights": weights, "stop": stop}
        for name, array in parts.items():
            parts[name] = array.copy()
            parts[name].flags.writeable = False
        self.__dict__.update(parts, alphabet=alphabet, states=states, start=start)

    def __len__(self) -> int:
        """Count the states."""
        return len(self.states)

    def encode(self, string: Iterable[str]) -> np.ndarray:
        """Turn symbols into tokens.

        A ``str`` is a symbol for each character, and ``[*"ab", END]`` ends.
        """
        places = {symbol: token for token, symbol in enumerate(self.alphabet)}
        string = as_list("string", string)
        for symbol in string:
            if not isinstance(symbol, str) or symbol not in places:
                raise ValueError(
                    f"string holds {brief(symbol)}; expected symbols among "
                    f"{brief(' '.join(self.alphabet))}"
                )
        return np.array([places[symbol] for symbol in string], dtype=np.intp)

    def walk(self, string: Iterable[str]) -> tuple[str, ...]:
        """Name the states that a string leads through, from the start, as far as it leads.

        There is one state more than symbols; fewer if a symbol has no transition.
        """
        return tuple(self.states[state] for state in self._walk(self.encode(string)))

    def accepts(self, string: Iterable[str]) -> bool:
        """Whether a string leads from the start to a state where it may stop."""
        tokens = self.encode(string)
        visited = self._walk(tokens)
        return bool(len(visited) == len(tokens) + 1 and self.stop[visited[-1]])

    def weight(self, string: Iterable[str]) -> float:
        """Product of the weights on a string's walk, 0 if it has none.

        For a :meth:`normalised` automaton, this is the probability that its output starts with the
        string; if the string ends with `END`, it is the probability of the whole string.
        """
        tokens = self.encode(string)
        visited = self._walk(tokens)
        if len(visited) <= len(tokens):
            return 0.0
        return float(self.weights[visited[:-1], tokens].prod())

    def next_symbol(self, state: str) -> np.ndarray:
        """Distribution of the symbol that comes next in a state, given by its name, shape (n_s,).

        It is in the order of the alphabet, and zeros where no symbol may come.
        """
        if not isinstance(state, str) or state not in self.states:
            raise ValueError(f"state is {brief(state)}; expected one of {brief(self.states)}")
        return self.normalised().weights[self.states.index(state)]

    def normalised(self) -> "Automaton":
        """Return the automaton with weights that sum to 1 in each state where symbols may come."""
        sums = self.weights.sum(axis=1, keepdims=True)
        weights = np.divide(self.weights, sums, out=np.zeros(self.weights.shape), where=sums > 0)
        return Automaton(self.alphabet, self.states, self.following, weights, self.start, self.stop)

    @cached_property
    def long_run(self) -> np.ndarray:
        """Share of time spent in each state in the long run: the stationary distribution.

        ``mu <- mu P`` from the start, where ``P`` holds the probabilities of going from state to
        state, averaged with the step before so that nothing turns in circles, until it stays. A
        state in which a sentence has ended has a share of 0, since the next begins.

        Raises
        ------
        ValueError
            If a state is a dead end, or the shares have not settled after 100 000 steps.
        """
        before, token = np.nonzero(self.weights)
        p = self.normalised().weights[before, token]
        after = self._onward[before, token]
        share = np.eye(1, len(self), self.start)[0]
        for _ in range(_SLOWEST):
            moved = np.bincount(after, share[before] * p, len(self))
            change = np.abs(moved - share).max()
            share = (share + moved) / 2
            if change < _SETTLED:
                share /= share.sum()
                share.flags.writeable = False
                return share
        raise ValueError(f"the shares of the states still change by {change} a step; expected less")

    @property
    def entropy_rate(self) -> float:
        """Least expected loss per symbol, in nats, if the automaton and its state are known.

        The entropy of each state's distribution, weighted with the state's share of time.
        """
        p = self.normalised().weights
        entropy = -(p * np.log(p, out=np.zeros(p.shape), where=p > 0)).sum(axis=1)
        return float(self.long_run @ entropy)

    def sample(
        self, length: int, batch_size: int | None = None, seed: int | np.random.Generator = 0
    ) -> np.ndarray:
        """Draw tokens from the start state, sentence after sentence where sentences end.

        Parameters
        ----------
        length : int
            Number T of symbols.
        batch_size : int, optional
            Number B of sequences; if left out, one without a batch axis.
        seed : int or Generator
            Draws them.

        Raises
        ------
        ValueError
            If a state is a dead end.
        """
        size = 1 if batch_size is None else as_count("batch_size", batch_size)
        draws = as_generator(seed).random((as_count("length", length), size, 1))
        bounds = self.weights.cumsum(axis=1)
        bounds = np.divide(bounds, bounds[:, -1:], where=bounds[:, -1:] > 0, out=bounds)
        state = np.full(size, self.start)
        onward = self._onward
        tokens = np.empty(draws.shape[:2], dtype=np.intp)
        for t, u in enumerate(draws):
            tokens[t] = (u >= bounds[state]).sum(axis=1)
            state = onward[state, tokens[t]]
        return tokens[:, 0] if batch_size is None else tokens

    def loss(self, tokens: np.ndarray) -> np.ndarray:
        """Loss ``-ln p`` of the best model, which knows the state, on each symbol.

        Parameters
        ----------
        tokens : array_like of int, shape (T,) or (T, B)
            As :meth:`sample` returns them, from the start state.

        Raises
        ------
        ValueError
            If the automaton cannot give the tokens.
        """
        tokens = as_tokens("tokens", tokens, len(self.alphabet))
        if tokens.ndim not in (1, 2) or not tokens.size:
            raise ValueError(f"tokens have shape {tokens.shape}; expected (T,) or (T, B)")
        p, onward, state = self.normalised().weights, self._onward, self.start
        probability = np.empty(tokens.shape)
        for t, token in enumerate(tokens):
            probability[t] = p[state, token]
            state = onward[state, token]
            if not probability[t].all():
                raise ValueError(f"tokens hold what the automaton cannot give, at step {t + 1}")
        return -np.log(probability)

    def _walk(self, tokens: np.ndarray) -> list[int]:
        """Places of the states that the tokens lead through, as far as they lead."""
        visited = [self.start]
        for token in tokens:
            state = int(self.following[visited[-1], token])
            if state < 0:
                break
            visited.append(state)
        return visited

    @cached_property
    def _onward(self) -> np.ndarray:
        """`following`, where a sentence that has ended is followed by the next."""
        ended = ~self.weights.any(axis=1)
        if (dead := ended & (~self.stop | (np.arange(len(self)) == self.start))).any():
            name = self.states[int(dead.argmax())]
            raise ValueError(
                f"state {brief(name)} is a dead end; expected a symbol that may come there"
            )
        return np.where(ended[self.following], self.start, self.following)


def automaton(
    alphabet: Sequence[str],
    transitions: Mapping[tuple[str, str], tuple[str, float]],
    start: str,
    stop: Iterable[str],
) -> Automaton:
    """Make an automaton from a table of its transitions.

    Parameters
    ----------
    alphabet : sequence of str
        The symbols.
    transitions : mapping
        ``{(state, symbol): (next state, weight)}``; states are numbered as they are named here,
        after `start`.
    start : str
        The state in which a string begins.
    stop : iterable of str
        The states in which one may end.
    """
    alphabet = _names("alphabet", alphabet)
    as_kind("start", start, str, "the name of a state")
    as_kind("transitions", transitions, Mapping, "a mapping of (state, symbol) to (state, weight)")
    try:
        table = [
            (state, symbol, after, weight)
            for (state, symbol), (after, weight) in transitions.items()
        ]
        named = _names(
            "start", dict.fromkeys([start, *(q for a, _, b, _ in table for q in (a, b))])
        )
    except (TypeError, ValueError):
        raise ValueError(
            f"start is {start!r} and transitions {brief(transitions)}; expected names of states, "
            "(state, symbol): (state, weight)"
        ) from None
    places = {name: place for place, name in enumerate(named)}
    following = np.full((len(named), len(alphabet)), -1)
    weights = np.zeros(following.shape)
    for state, symbol, after, weight in table:
        if symbol not in alphabet:
            raise ValueError(f"transitions read {brief(symbol)}, which is not in the alphabet")
        entry = places[state], alphabet.index(symbol)
        following[entry] = places[after]
        weights[entry] = as_positive("a weight of transitions", weight)
    stop = as_list("stop", stop)
    if strange := [name for name in stop if name not in named]:
        raise ValueError(f"stop holds {brief(strange[0])}; expected some of {brief(named)}")
    return Automaton(alphabet, named, following, weights, 0, np.isin(named, stop))


def bigram_counts(strings: Iterable[Iterable[str]], alphabet: Sequence[str]) -> np.ndarray:
    """Count which symbol follows which in sentences.

    Parameters
    ----------
    strings : iterable of iterables of str
        Sentences, without `END`.
    alphabet : sequence of str, n of them
        The symbols, without `END`.

    Returns
    -------
    ndarray of int, shape (n + 1, n + 1)
        A row for the start and one for each symbol; a column for each symbol and one for the end:
        the weights that :func:`bigram_automaton` takes.
    """
    alphabet = _names("alphabet", alphabet)
    places = {symbol: place for place, symbol in enumerate(alphabet)}
    counts = np.zeros((len(alphabet) + 1, len(alphabet) + 1), dtype=int)
    for string in as_list("strings", strings):
        row = 0
        for symbol in as_list("each of strings", string):
            if not isinstance(symbol, str) or symbol not in places:
                raise ValueError(
                    f"strings hold {brief(symbol)}; expected symbols among "
                    f"{brief(' '.join(alphabet))}"
                )
            counts[row, places[symbol]] += 1
            row = places[symbol] + 1
        counts[row, -1] += 1
    return counts


def bigram_automaton(alphabet: Sequence[str], weights: np.ndarray) -> Automaton:
    """Automaton of a bigram model: its state is the symbol read last.

    Parameters
    ----------
    alphabet : sequence of str, n of them
        The symbols, without `END`.
    weights : array_like, shape (n + 1, n + 1) or (n + 1, n)
        Probabilities or counts: the first row for the first symbol, then one row for the symbols
        that follow each symbol; a column for each symbol and one for `END`. Without `END`, strings
        never end, and may stop anywhere.

    Returns
    -------
    Automaton
        Normalized; states ``q_<s>``, a ``q_a`` for each symbol a and, where strings end,
        ``q_</s>``, whose alphabet has `END`.
    """
    alphabet = _names("alphabet", alphabet)
    weights = as_real("weights", weights, float)
    n = len(alphabet)
    shape = weights.shape
    if END in alphabet or shape not in ((n + 1, n), (n + 1, n + 1)):
        raise ValueError(
            f"weights has shape {shape}; expected ({n + 1}, {n + 1}) or ({n + 1}, {n}), for an "
            f"alphabet without {END}"
        )
    if (weights < 0).any() or not weights.any(axis=1).all():
        raise ValueError("weights hold a negative one, or a row of zeros; expected neither")
    ends = shape[1] > n
    if ends:
        weights = np.vstack([weights, np.zeros(n + 1)])
        alphabet = (*alphabet, END)
    return Automaton(
        alphabet,
        [f"q_{symbol}" for symbol in ("<s>", *alphabet)],
        np.where(weights > 0, np.arange(1, len(alphabet) + 1), -1),
        weights,
        0,
        np.arange(len(weights)) == n + 1 if ends else np.ones(n + 1, bool),
    ).normalised()


def bracket_automaton(
    opening: str,
    closing: str,
    alphabet: Sequence[str],
    open_weight: float = 1.0,
    close_weight: float = 1.0,
) -> Automaton:
    """Automaton that records whether a bracket is open: one feature, on or off.

    Parameters
    ----------
    opening, closing : str
        Two symbols of the alphabet. The first leads from ``q0``, outside, to ``q1``, inside, the
        second back; neither may come where it does not lead.
    alphabet : sequence of str
        The symbols. All others leave the state unchanged and have weight 1, but `END`, if it is one
        of them, occurs only outside.
    open_weight, close_weight : float
        Weights of the two brackets.

    Returns
    -------
    Automaton
        Starts and stops in ``q0``. A factor for :func:`intersect`, not normalized.
    """
    alphabet = _names("alphabet", alphabet)
    for name, bracket in (("opening", opening), ("closing", closing)):
        if not isinstance(bracket, str) or bracket not in alphabet or bracket == END:
            raise ValueError(f"{name} is {brief(bracket)}; expected a symbol of the alphabet")
    if opening == closing:
        raise ValueError(f"opening and closing are both {brief(opening)}; expected two symbols")
    others = [symbol for symbol in alphabet if symbol not in (opening, closing)]
    return automaton(
        alphabet,
        {
            **{("q0", symbol): ("q0", 1.0) for symbol in others},
            **{("q1", symbol): ("q1", 1.0) for symbol in others if symbol != END},
            ("q0", opening): ("q1", as_positive("open_weight", open_weight)),
            ("q1", closing): ("q0", as_positive("close_weight", close_weight)),
        },
        "q0",
        ["q0"],
    )


def intersect(a: Automaton, b: Automaton) -> Automaton:
    """Intersection of two automata of one alphabet: it remembers what both remember.

    Its states are the pairs of a state of `a` and one of `b` that can be reached, named
    ``"q_a q1"``. It accepts the strings that both accept; the weight of a string is the product of
    its weights in both. :meth:`Automaton.normalised` makes these probabilities again.
    """
    for name, one in (("a", a), ("b", b)):
        as_kind(name, one, Automaton, "an Automaton")
    if a.alphabet != b.alphabet:
        raise ValueError(f"b reads {brief(b.alphabet)}; expected {brief(a.alphabet)}, as a does")

    def led_to(pairs):
        after, beside = (one.following[part] for one, part in zip((a, b), pairs, strict=True))
        return np.where((after < 0) | (beside < 0), -1, after * len(b) + beside)

    # a pair of states has one number; those not seen before are gone through all at once
    reached = new = np.array([a.start * len(b) + b.start])
    while new.size:
        found = np.unique(led_to(np.divmod(new, len(b))))
        new = np.setdiff1d(found[found >= 0], reached)
        reached = np.union1d(reached, new)
    pairs = np.divmod(reached, len(b))
    following = led_to(pairs)
    leads = following >= 0
    return Automaton(
        a.alphabet,
        [f"{a.states[i]} {b.states[j]}" for i, j in zip(*pairs, strict=True)],
        np.where(leads, np.searchsorted(reached, following), -1),
        np.where(leads, a.weights[pairs[0]] * b.weights[pairs[1]], 0),
        int(np.searchsorted(reached, a.start * len(b) + b.start)),
        a.stop[pairs[0]] & b.stop[pairs[1]],
    )


def _names(name: str, value: Iterable[str]) -> tuple[str, ...]:
    """Distinct names, or an error that names the argument."""
    names = tuple(as_list(name, value))
    if not names or not all(isinstance(one, str) and one for one in names):
        raise ValueError(f"{name} is {brief(value)}; expected at least one string")
    if len(set(names)) < len(names):
        raise ValueError(f"{name} is {brief(value)}; expected strings that differ")
    return names
