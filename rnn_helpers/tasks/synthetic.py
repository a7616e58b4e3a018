"""A made-up source of sequences whose best possible loss is known exactly."""

import numpy as np

from rnn_helpers.validate import as_count, as_generator, as_tokens


class Brackets:
    """A source of letters among which brackets of several kinds open and close.

    Each letter is drawn given the letter before it. Between the letters, a bracket of a kind that
    is closed opens now and then, and one that is open closes soon. A model that tracks which are
    open needs `entropy` nats for a symbol; counts of neighbors never get there, since a bracket
    may have been open for long.

    Parameters
    ----------
    n_pairs : int
        Kinds k of brackets, 1 to 4.
    n_letters : int
        Number m of letters, 2 to 26.
    seed : int
        Draws the letters' transition probabilities.

    Attributes
    ----------
    alphabet : str
        The letters, then each kind's opening and closing bracket; a symbol's token is its place.
    probabilities : ndarray, shape (m * 2**k, m + 2 * k)
        Distribution of the next symbol in each state (last letter, set of open brackets).
    following : ndarray of int, shape (m * 2**k, m + 2 * k)
        The state that each symbol leads to.
    stationary : ndarray, shape (m * 2**k,)
        Long-run share of time in each state.
    """

    OPENING, CLOSING = 0.15, 0.4  # probability of the one and the other, over all kinds together
    KINDS = "()[]{}<>"

    def __init__(self, n_pairs: int = 2, n_letters: int = 4, seed: int = 0):
        n_pairs, n_letters = as_count("n_pairs", n_pairs), as_count("n_letters", n_letters, 2)
        if n_pairs > 4 or n_letters > 26:
            raise ValueError(
                f"n_pairs is {n_pairs} and n_letters is {n_letters}, expected 1 to 4 and 2 to 26"
            )
        self.alphabet = "abcdefghijklmnopqrstuvwxyz"[:n_letters] + self.KINDS[: 2 * n_pairs]
        pairs = as_generator(seed).dirichlet(np.full(n_letters, 0.5), size=n_letters)

        # state = letter + n_letters * (bit i set where kind i is open)
        states = np.arange(n_letters * 2**n_pairs)
        letter, opened = states % n_letters, states // n_letters
        p = np.zeros((len(states), len(self.alphabet)))
        following = np.tile(states[:, None], len(self.alphabet))
        for kind in range(n_pairs):
            is_open = (opened >> kind & 1).astype(bool)
            opening, closing = n_letters + 2 * kind, n_letters + 2 * kind + 1
            p[~is_open, opening] = self.OPENING / n_pairs
            p[is_open, closing] = self.CLOSING / n_pairs
            turned = letter + n_letters * (opened ^ 1 << kind)
            following[:, [opening, closing]] = turned[:, None]
        p[:, :n_letters] = (1 - p.sum(axis=1, keepdims=True)) * pairs[letter]
        following[:, :n_letters] = np.arange(n_letters) + n_letters * opened[:, None]
        self.probabilities, self.following = p, following
        self.stationary = self._stationary()

    def _stationary(self) -> np.ndarray:
        """Solve for the distribution over states that a step leaves as it is."""
        n = len(self.probabilities)
        step = np.zeros((n, n))
        np.add.at(step, (np.arange(n)[:, None], self.following), self.probabilities)
        # n equations pi (step - 1) = 0 leave the scale open; the last one sets the sum to 1
        equations = np.vstack([step.T - np.eye(n), np.ones(n)])
        return np.linalg.lstsq(equations, np.eye(n + 1)[n], rcond=None)[0]

    @property
    def entropy(self) -> float:
        """Least possible expected loss of a symbol, in nats."""
        each = [_entropy(p) for p in self.probabilities]
        return float(self.stationary @ each)

    def sample(self, length: int, seed: int | np.random.Generator = 0) -> np.ndarray:
        """Draw a sequence of `length` tokens, from a state drawn from the long run."""
        length = as_count("length", length)
        rng = as_generator(seed)
        state = rng.choice(len(self.stationary), p=self.stationary / self.stationary.sum())
        bounds = self.probabilities.cumsum(axis=1)
        bounds[:, -1] = 1.0  # rounding must not leave a gap at the end
        tokens = np.empty(length, dtype=np.intp)
        for t, u in enumerate(rng.random(length)):
            tokens[t] = np.searchsorted(bounds[state], u, side="right")
            state = self.following[state, tokens[t]]
        return tokens

    def loss(self, tokens: np.ndarray) -> np.ndarray:
        """Loss ``-ln p`` of the best model on each symbol of a sequence.

        It knows the source but not its first state, so it begins with the long run's share of each
        state and rules out states as symbols come in.

        Raises
        ------
        ValueError
            If the source cannot give the sequence.
        """
        tokens = as_tokens("tokens", tokens, len(self.alphabet))
        if tokens.ndim != 1 or not tokens.size:
            raise ValueError(f"tokens have shape {tokens.shape}, expected one axis of at least one")
        belief = self.stationary
        losses = []
        for token in tokens:
            arriving = belief * self.probabilities[:, token]
            p = arriving.sum()
            if not p > 0:
                raise ValueError(f"tokens hold {token} where this source cannot give it")
            losses.append(-np.log(p))
            belief = np.bincount(
                self.following[:, token], weights=arriving / p, minlength=len(belief)
            )
        return np.array(losses)


def _entropy(p: np.ndarray) -> float:
    """Entropy of a distribution, in nats."""
    p = p[p > 0]
    return float(-(p * np.log(p)).sum())
