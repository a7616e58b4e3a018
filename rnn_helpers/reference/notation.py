"""One notation for three sources: the book's names, Chiang's and PyTorch's, as data.

The book keeps Goodfellow's letters, column vectors and a loss to be minimized.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from rnn_helpers.validate import (
    as_kind,
    as_real,
    brief,
)


class Symbol(NamedTuple):
    """One concept and what each source calls it; formulas in TeX between dollar signs.

    Attributes
    ----------
    concept : str
        The concept in words.
    book : str
        This book's name (Goodfellow's and Favaro's).
    chiang : str
        Chiang's name; empty where his notes have none.
    pytorch : str
        PyTorch's name (for the gated units, Cho's too); empty where it has none.
    shape : str
        Shape of the array; empty if it is no array.
    """

    concept: str
    book: str
    chiang: str
    pytorch: str
    shape: str


NOTATION = (
    Symbol("input at time t", "$x^{(t)}$", "$x^{(i)}$, one-hot of $w_{i-1}$", "`input`", "$n_x$"),
    Symbol("hidden pre-activation", "$a^{(t)}$", "", "", "$n_h$"),
    Symbol("hidden state", "$h^{(t)}$ (tanh)", "$h^{(i)}$ (sigmoid)", "`h_t` (tanh)", "$n_h$"),
    Symbol("state of what reads back", "$g^{(t)}$", "", "`h_t` of the `_reverse` weights", "$n_h$"),
    Symbol("initial state", "$h^{(0)}$, free", "$h^{(0)} = 0$", "`h_0`, zeros", "$n_h$"),
    Symbol("input-to-hidden weights", "$U$", "$B$", "`weight_ih_l0`", r"$n_h \times n_x$"),
    Symbol("hidden-to-hidden weights", "$W$", "$A$", "`weight_hh_l0`", r"$n_h \times n_h$"),
    Symbol("hidden bias", "$b$", "$c$", "`bias_ih_l0 + bias_hh_l0`", "$n_h$"),
    Symbol("hidden-to-output weights", "$V$", "$D$", "`weight` of a `Linear`", r"$n_y \times n_h$"),
    Symbol("output bias", "$c$", "$e$", "`bias` of a `Linear`", "$n_y$"),
    Symbol("unnormalised log probabilities", "$o^{(t)}$", "$s^{(i)}$", "logits", "$n_y$"),
    Symbol("probabilities", r"$\hat{y}^{(t)}$", "$y^{(i)}$", "", "$n_y$"),
    Symbol("target", "$y^{(t)}$, an index", "$z^{(i)}$, one-hot", "`target`, an index", ""),
    Symbol("output-to-hidden weights", "$R$", "", "", r"$n_h \times n_y$"),
    Symbol("what a step is fed of the last output", r"$\tilde{y}^{(t-1)}$", "", "", "$n_y$"),
    Symbol("objective", "$L$, minimised", "$L$, maximised", "`loss`, minimised", "a number"),
    Symbol("length", r"$\tau$", "$n$", "", ""),
    Symbol("LSTM cell state", "$s$", "", "$c$", "$n_h$"),
    Symbol("LSTM input gate", "$g$", "", "$i$", "$n_h$"),
    Symbol("LSTM forget gate", "$f$", "", "$f$", "$n_h$"),
    Symbol("LSTM output gate", "$q$, its parameters marked $o$", "", "$o$", "$n_h$"),
    Symbol("LSTM cell candidate", "unnamed", "", "$g$", "$n_h$"),
    Symbol("GRU update gate", "$u$", "", "$z$", "$n_h$"),
    Symbol("GRU reset gate", "$r$", "", "$r$", "$n_h$"),
    Symbol("GRU target state", "unnamed", "", "$n$", "$n_h$"),
)
"""Every concept with its names, in the order in which the chapters meet them."""


class Collision(NamedTuple):
    """One letter and the different things that the sources mean by it.

    Attributes
    ----------
    symbol : str
        The letter, in TeX between dollar signs.
    meanings : tuple of str
        Its meanings, and where they are used.
    """

    symbol: str
    meanings: tuple[str, ...]


COLLISIONS = (
    Collision("$c$", ("output bias (book)", "hidden bias (Chiang)", "LSTM cell state (PyTorch)")),
    Collision("$y$", ("target (book)", "prediction (Chiang)")),
    Collision("$L$", ("loss, minimised (book)", "log-likelihood, maximised (Chiang)")),
    Collision(
        "$g$",
        (
            "unfolded function $g^{(t)}$ (G 10.6)",
            "state of the backward network (figure 10.11)",
            "LSTM input gate (G 10.42)",
            "gradient (G 10.48)",
            "LSTM cell candidate (PyTorch)",
            "gate of a head (section 10.12)",
        ),
    ),
    Collision(
        "$s$",
        (
            "state of a dynamical system (G 10.1)",
            "LSTM state (G 10.41)",
            "logits (Chiang, 5.8)",
            "move of a head (section 10.12)",
        ),
    ),
    Collision(
        "$v$",
        (
            "eigenvector",
            "variance",
            "clipping threshold",
            "input of a leaky unit",
            "value in a memory (section 10.12)",
        ),
    ),
    Collision("$q$", ("LSTM output gate (G 10.44)", "query to a memory (section 10.12)")),
    Collision("$r$", ("GRU reset gate (G 10.47)", "what is read of a memory (section 10.12)")),
    Collision("$z$", ("target (Chiang)", "update gate (Cho, PyTorch)")),
    Collision(
        "$k$", ("number of values of a symbol", "Markov order", "key of a memory (section 10.12)")
    ),
    Collision(
        "$R$",
        (
            "context to hidden (figure 10.9)",
            "output to hidden (figure 10.10)",
            "node to output (with figure 10.14)",
        ),
    ),
    Collision("$U$", ("input to hidden", "left child to node (figure 10.14)")),
    Collision("$V$", ("hidden to output", "input to leaf (figure 10.14)")),
    Collision(
        "$W$",
        (
            "hidden to hidden",
            "output to hidden (figure 10.4)",
            "LSTM cell weights (G 10.41)",
            "right child to node (figure 10.14)",
        ),
    ),
    Collision(r"$\lambda$", ("all parameters (Chiang)", "eigenvalue (book)")),
    Collision("$h_{n_x}$", ("last state of the encoder, elsewhere $h^{(n_x)}$ (section 10.4)",)),
    Collision(
        r"$\nabla_h L$",
        ("column vector, as everywhere in this book", "row vector (G 10.50)-(G 10.52)"),
    ),
)
"""Letters that change their meaning from source to source, or within one."""

CHIANG = {"B": "U", "A": "W", "D": "V", "c": "b", "e": "c"}
"""Chiang's parameter names, each with the book's."""

PYTORCH = {
    "weight_ih_l0": "U",
    "weight_hh_l0": "W",
    "bias_ih_l0": "b",
    "bias_hh_l0": "b",
    "weight": "V",
    "bias": "c",
}
"""PyTorch's parameter names (``nn.RNN``, then ``nn.Linear``), each with the book's.

``nn.RNN`` has two biases where one would do; the book's ``b`` is their sum.
"""


class Block(NamedTuple):
    """One of the parts of a gated unit that PyTorch stacks in each of its arrays.

    Attributes
    ----------
    pytorch : str
        PyTorch's letter for it, in TeX between dollar signs.
    book : str
        This book's name for it.
    part : str
        The suffix of ``U``, ``W`` and ``b`` in the names of its parameters.
    """

    pytorch: str
    book: str
    part: str


BLOCKS = {
    "LSTM": (
        Block("$i$", "input gate $g^{(t)}$", "g"),
        Block("$f$", "forget gate $f^{(t)}$", "f"),
        Block("$g$", "cell input, without a letter", ""),
        Block("$o$", "output gate $q^{(t)}$", "o"),
    ),
    "GRU": (
        Block("$r$", "reset gate $r^{(t)}$", "r"),
        Block("$z$", "update gate $u^{(t)}$", "u"),
        Block("$n$", "target state, without a letter", ""),
    ),
}
"""The parts of ``nn.LSTM`` and ``nn.GRU``, from the first row of their arrays to the last."""


def from_chiang(params: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Rename parameters from Chiang's ``B, A, D, c, e`` to the book's ``U, W, V, b, c``."""
    return _rename(params, CHIANG)


def to_chiang(params: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Rename parameters from the book's ``U, W, V, b, c`` to Chiang's ``B, A, D, c, e``."""
    return _rename(params, {book: chiang for chiang, book in CHIANG.items()})


def _rename(params, names):
    as_kind("params", params, Mapping, "a mapping from names to arrays")
    if set(params) != set(names):
        raise ValueError(f"params has {brief([*params])}; expected {sorted(names)}")
    for name, array in params.items():
        as_real(f"params[{name!r}]", array)
    return {new: params[old] for old, new in names.items()}
