"""Example numbers for each kind of verdict and for `restricted`, by claim.

A case contains only the numbers that the claim's conditions use.
"""

from rnn_helpers.claims.chapter_11.where_to_be_deep import BOXES, OUTPUT
from rnn_helpers.claims.chapter_17 import hessian_free as hf
from rnn_helpers.claims.chapter_18.recall import LARGE, SOFTMAX
from rnn_helpers.experiments.words import Estimate


def about(value, half=0.1):
    """Return an estimate whose interval extends by `half` on each side."""
    return Estimate(value, value - half, value + half)


def penalty(ahead, scheduled, stopped, half=0.1):
    """Return the ratios of teacher forcing's error to the errors of three other methods."""
    return {
        "several steps ahead": about(ahead),
        "scheduled sampling": about(scheduled, half),
        "scheduled, no gradient through outputs": about(stopped),
    }


def captions(step, start, both):
    """Return the share of correct new sentences for each place where the picture enters."""
    return {"step_new": about(step), "start_new": about(start), "both_new": about(both)}


def recalled(form=0.5, larger=0.1, softmax=1.0):
    """Return how much memories recall of few and of many pairs."""
    return {
        "few": {SOFTMAX: about(1, 0.01)},
        "most": {SOFTMAX: about(softmax, 0.01), LARGE: about(0.5)},
        "larger": about(larger, 0.01),
        "ahead": about(0.1, 0.01),
        "form": about(form),
    }


def paths(mitigated=0.3, orthogonal=0, less=0):
    """Return the cost of a hidden layer and the gain from a skip connection, by initialization."""
    return {
        "hurts": about(0.3),
        "mitigated": about(mitigated),
        "hurts_orthogonal": about(orthogonal),
        "mitigated_orthogonal": about(orthogonal),
        "hurts_less": about(less),
    }


def clippings(norm_element, norm_hidden, random_step):
    """Return differences on one task between clipping methods, and for the random step."""
    pairs = {"norm, element": about(norm_element, 0.08), "norm, hidden": about(norm_hidden, 0.08)}
    return {
        "pairs": {"latch": pairs},
        "random": {"latch": about(random_step, 0.08)},
        "on_half": about(max(norm_element, norm_hidden, -random_step), 0.08),
    }


def leads(older, adam, momentum, half=0.1):
    """Return the leads of the Hessian-free method over each first-order one, by initialization."""
    bad = {hf.PLAIN: older, hf.SIMPLE: older, hf.ADAM: adam}
    lead = {hf.BAD: bad, hf.CAREFUL: {hf.SIMPLE: momentum}}
    return {
        "lead": {
            kind: {method: about(one, half) for method, one in mine.items()}
            for kind, mine in lead.items()
        }
    }


CASES = {
    "unit-features": {
        "holds": {"least": about(0.8), "share": about(0.9)},
        "holds in part": {"least": about(0.2), "share": about(0.9)},
        "does not hold": {"least": about(0.1), "share": about(0.2)},
        "undecided": {"least": about(0.2), "share": about(0.5)},
    },
    "sharing": {
        "holds": {"worst_shared": about(0.99, 0.01), "best_separate": about(0.1)},
        "holds in part": {
            "worst_shared": about(0.5),
            "convolution": about(0.99, 0.01),
            "best_separate": about(0.1),
        },
        "does not hold": {
            "worst_shared": about(0.2),
            "convolution": about(0.3),
            "best_separate": about(0.1),
        },
        "undecided": {
            "worst_shared": about(0.5),
            "convolution": about(0.8),
            "best_separate": about(0.1),
        },
    },
    "accumulate-forget": {
        "holds": {"gated": about(0.01, 0.01), "ungated": about(0.3)},
        "holds in part": {
            "gated": about(0.01, 0.01),
            "ungated": about(0.02, 0.01),
            "least_ratio": about(10),
        },
        "does not hold": {
            "gated": about(0.01, 0.01),
            "ungated": about(0.01, 0.01),
            "least_ratio": about(1),
        },
        "undecided": {
            "gated": about(0.01, 0.01),
            "ungated": about(0.02, 0.01),
            "least_ratio": about(2),
        },
    },
    "copy-longer": {
        "holds": {"rate": about(0.4), "lstm_near": about(0.7), "lstms": about(0.1)},
        "holds in part": {"rate": about(0.4), "lstm_near": about(0.99), "lstms": about(0.1)},
        "does not hold": {"rate": about(0.4), "lstm_near": about(0.99), "lstms": about(0.8)},
        "undecided": {"rate": about(0.1), "lstm_near": about(0.99), "lstms": about(0.1)},
    },
    "recall": {
        "holds": recalled(form=-0.1),
        "holds in part": recalled(),
        "does not hold": recalled(larger=0),
        "undecided": recalled(softmax=0.9),
    },
    "content-width": {
        "holds": {
            "gain": about(0.99, 0.01),
            "most": about(0.99, 0.01),
            "least": about(0.01, 0.01),
            "drop": about(0, 0.01),
        },
        "holds in part": {
            "gain": about(0.99, 0.01),
            "most": about(0.99, 0.01),
            "least": about(0.01, 0.01),
            "drop": about(0.3),
        },
        "does not hold": {"gain": about(0, 0.01), "most": about(0.5)},
        "undecided": {"gain": about(0), "most": about(0.5)},
    },
    "forget-bias": {
        "holds": {"gain": about(0.8), "gain_orthogonal": about(0.4)},
        "holds in part": {
            "gain": about(0.8),
            "gain_orthogonal": about(0),
            "gain_less": about(0.8),
        },
        "does not hold": {"gain": about(0)},
        "undecided": {
            "gain": about(0.8),
            "gain_orthogonal": about(0),
            "gain_less": about(0),
        },
    },
    "learning-rate": {
        "holds": {"slow": about(1), "undone": about(0.9), "gain_falling": about(0.5)},
        "holds in part": {"slow": about(1), "undone": about(0.9), "gain_falling": about(-0.5)},
        "does not hold": {"slow": about(1), "undone": about(0.2)},
        "undecided": {"slow": about(1), "undone": about(0.5)},
    },
    "zero-init": {
        "holds": {"tanh": about(0, 0.01), "sigmoid": about(0, 0.01)},
        "holds in part": {"tanh": about(0.5), "sigmoid": about(0, 0.01)},
        "does not hold": {"tanh": about(0.5), "sigmoid": about(0.5)},
        "undecided": {"tanh": about(0.5), "sigmoid": about(0)},
    },
    "bits-per-character": {
        "holds": {"ahead": about(0.3), "ahead_small": about(0.5)},
        "restricted": {"ahead": about(-0.3), "ahead_small": about(0.5)},
        "does not hold": {"ahead": about(-0.3), "ahead_small": about(-0.5)},
        "undecided": {"ahead": about(0), "ahead_small": about(0.5)},
    },
    "free-run": {
        "holds": {"grows": about(9), "penalty": penalty(9, 5, 3)},
        "holds in part": {"grows": about(9), "penalty": penalty(9, 5, 1)},
        "does not hold": {"grows": about(9), "penalty": penalty(9, 1, 1)},
        "undecided": {"grows": about(9), "penalty": penalty(9, 2, 1, half=1.5)},
    },
    "filling-gaps": {
        "holds": {"lost": about(0.3), "gibbs": about(0.3), "both": about(0.3)},
        "holds in part": {"lost": about(0.3), "gibbs": about(0.3), "both": about(-0.1)},
        "does not hold": {"lost": about(-0.1), "gibbs": about(0.3), "both": about(-0.1)},
        "undecided": {"lost": about(0.3), "gibbs": about(0.3), "both": about(0)},
    },
    "three-ends": {
        "holds": {"abrupt": about(0.1), "early": about(0.95, 0.01), "worst": about(0.95, 0.01)},
        "holds in part": {"abrupt": about(0.1), "early": about(0.1), "worst": about(0.95, 0.01)},
        "does not hold": {"abrupt": about(0.1), "early": about(0.1), "worst": about(0.6)},
        "undecided": {"abrupt": about(0.1), "early": about(0.1), "worst": about(0.85)},
    },
    "exact-optima": {
        "holds": {"worst": about(0.01, 0.01), "below": 0.0},
        "holds in part": {"worst": about(0.2), "below": 0.0},
        "does not hold": {"worst": about(0.01, 0.01), "below": -0.1},
        "undecided": {"worst": about(0.5), "below": 0.0},
    },
    "held-out-captions": {
        "holds": {**captions(0.8, 0.8, 0.8), "lost": about(0, 0.01)},
        "holds in part": {**captions(0.8, 0.2, 0.8), "lost": about(0, 0.01)},
        "does not hold": captions(0.2, 0.2, 0.3),
        "undecided": captions(0.8, 0.8, 0.5),
    },
    "three-doors": {
        "holds": {"over_step": about(0.2), "over_start": about(0.2)},
        "holds in part": {"over_step": about(0), "over_start": about(0.2)},
        "does not hold": {"over_step": about(-0.2), "over_start": about(0)},
        "undecided": {"over_step": about(0), "over_start": about(0)},
    },
    "delay-both-ways": {
        "holds": {
            "able": about(0.99, 0.01),
            "blind": about(0.5, 0.01),
            "behind": about(0, 0.01),
        },
        "holds in part": {
            "able": about(0.99, 0.01),
            "blind": about(0.5, 0.01),
            "behind": about(0.1),
            "behind_longer": about(0, 0.01),
        },
        "does not hold": {
            "able": about(0.99, 0.01),
            "blind": about(0.5, 0.01),
            "behind": about(0.1),
            "behind_longer": about(0.1, 0.01),
        },
        "undecided": {"able": about(0.6)},
    },
    "edge-to-edge": {
        "holds": {
            "near": about(0.95, 0.01),
            "ahead": about(0.3),
            "far_deep": about(0.5, 0.01),
            "last_sweeps": about(0.95),
        },
        "holds in part": {
            "near": about(0.95, 0.01),
            "ahead": about(0.3),
            "far_deep": about(0.5, 0.01),
            "last_sweeps": about(0.6),
        },
        "does not hold": {"near": about(0.95, 0.01), "ahead": about(-0.1)},
        "undecided": {"near": about(0.7)},
    },
    "where-to-be-deep": {
        "holds": {"gains": dict.fromkeys(BOXES, about(0.3)), "all": about(0.3)},
        "holds in part": {"gains": dict.fromkeys(BOXES, about(-0.3)) | {OUTPUT: about(0.3)}},
        "does not hold": {"gains": dict.fromkeys(BOXES, about(-0.3))},
        "undecided": {"gains": dict.fromkeys(BOXES, about(0))},
    },
    "clipping-conjecture": {
        "holds": clippings(norm_element=0, norm_hidden=0, random_step=0),
        "holds in part": clippings(norm_element=0, norm_hidden=0, random_step=-0.3),
        "does not hold": clippings(norm_element=0, norm_hidden=0.3, random_step=-0.3),
        "undecided": clippings(norm_element=0.06, norm_hidden=0.06, random_step=0),
    },
    "clipping-saves": {
        "holds": {
            "best_gain": about(0.3),
            "least": about(0.2),
            "least_outside": about(0.2),
        },
        "holds in part": {
            "best_gain": about(0.3),
            "least": about(0.2),
            "least_outside": about(0),
            "useless": "3",
        },
        "does not hold": {"best_gain": about(0, 0.01), "least": about(0.2)},
        "undecided": {"best_gain": about(0.3), "least": about(0)},
    },
    "hessian-free": {
        "holds": leads(older=0.5, adam=0.5, momentum=0),
        "holds in part": leads(older=0.5, adam=0, momentum=0),
        "does not hold": leads(older=0, adam=0.5, momentum=0),
        "undecided": leads(older=0.5, adam=0, momentum=0, half=0.3),
    },
    "lstm-against-rnn": {
        "holds": {"bit": about(0.3), "order": about(0.5)},
        "holds in part": {"bit": about(0), "order": about(0.5)},
        "does not hold": {"bit": about(0), "order": about(0)},
        "undecided": {"bit": about(0.3), "order": about(0)},
    },
    "own-words": {
        "holds": {"drift": about(0.2)},
        "holds in part": {"drift": about(0, 0.05), "rise": about(0.2)},
        "does not hold": {"drift": about(-0.1), "rise": about(0)},
        "undecided": {"drift": about(0.08), "rise": about(0)},
    },
    "table-against-state": {
        "holds": {"gains": {100: about(0.2), 1000: about(0.3)}},
        "holds in part": {"gains": {100: about(0), 1000: about(0.3)}, "gain": about(0.3)},
        "does not hold": {"gains": {100: about(0), 1000: about(-0.1)}, "gain": about(-0.1)},
        "undecided": {"gains": {100: about(0), 1000: about(0)}, "gain": about(0)},
    },
    "fixed-context": {
        "holds": {
            "longer": about(0.8),
            "smaller": about(0.2),
            "gained": about(0.7),
            "looks_beyond": about(0.8),
        },
        "holds in part": {
            "longer": about(0.8),
            "smaller": about(0.2),
            "gained": about(0.7),
            "looks_beyond": about(0.1),
        },
        "does not hold": {
            "longer": about(0.8),
            "smaller": about(-0.1),
            "largest_short": about(0.9),
        },
        "undecided": {
            "longer": about(0.8),
            "smaller": about(0),
            "gained": about(0.7),
            "largest_short": about(0.9),
        },
    },
    "longer-path": {
        "holds": paths(orthogonal=0.3),
        "holds in part": paths(less=0.3),
        "does not hold": paths(mitigated=-0.1),
        "undecided": paths(mitigated=0),
    },
    "gradient-reach": {
        "holds": {
            "default": about(0.7),
            "factor_still": about(0.4),
            "moving": 9,
            "factor_moving": about(0.6),
        },
        "restricted": {
            "default": about(0.7),
            "factor_still": about(0.4),
            "moving": 9,
            "factor_moving": about(0.99, 0.01),
            "kept": about(0.99, 0.01),
        },
        "does not hold": {"default": about(0.7), "factor_still": about(0.95, 0.01)},
        "undecided": {
            "default": about(0.7),
            "factor_still": about(0.4),
            "moving": 9,
            "factor_moving": about(0.9),
        },
    },
    "length-success": {
        "holds": {"easiest": about(0.2)},
        "holds in part": {
            "easiest": about(1),
            "hardest": about(0.8),
            "late": {10: about(0.8), 20: about(0.2)},
            "late_orthogonal": {20: about(0.8)},
        },
        "does not hold": {
            "easiest": about(1),
            "hardest": about(0.8),
            "late": {10: about(1), 20: about(0.8)},
        },
        "undecided": {"easiest": about(0.8), "hardest": about(0.5)},
    },
    "robust-bit": {
        "holds": {"largest_bounded": about(-70), "largest_unbounded": about(-70)},
        "holds in part": {"largest_bounded": about(-70), "largest_unbounded": about(16)},
        "does not hold": {"largest_bounded": about(0)},
        "undecided": {"largest_bounded": about(-5)},
    },
    "tensor-node": {
        "holds in part": {"ahead": about(0.2), "ahead_furthest": about(0.4)},
        "does not hold": {"ahead": about(0.2), "ahead_furthest": about(-0.1)},
        "undecided": {"ahead": about(0.2), "ahead_furthest": about(0)},
    },
    "tree-reach": {
        "holds": {"ahead": about(0.5), "ahead_orthogonal": about(0.3)},
        "holds in part": {
            "ahead": about(0.5),
            "ahead_orthogonal": about(0.05),
            "ahead_less": about(0.4),
        },
        "does not hold": {"ahead": about(-0.1)},
        "undecided": {"ahead": about(0)},
    },
    "trees-on-expressions": {
        "holds": {
            "ahead": about(0.6),
            "ahead_twice": about(0.6),
            "parse_twice": about(0.8),
        },
        "holds in part": {
            "ahead": about(0.6),
            "ahead_twice": about(0.3),
            "parse_twice": about(0.3),
        },
        "does not hold": {"ahead": about(-0.1)},
        "undecided": {"ahead": about(0)},
    },
    "attention-explains": {
        "holds": {
            "right": about(0.99, 0.01),
            "permuted": about(0.2),
            "matters": about(0.95),
            "agree": about(0.95),
        },
        "does not hold": {
            "right": about(0.99, 0.01),
            "permuted": about(0.2),
            "matters": about(0.5),
            "agree": about(0.95),
        },
        "undecided": {"right": about(0.8)},
    },
    "memory-by-floor": {
        "holds": {"now": about(0.2), "next": about(0.2), "long": about(0.2)},
        "does not hold": {"now": about(0.2), "next": about(0.2), "long": about(-0.2)},
        "undecided": {"now": about(0.2), "next": about(0.2), "long": about(0)},
    },
    "reservoir-memory": {
        "holds": {
            "best": [about(1), about(1)],
            "against_edge": [about(1), about(1)],
            "lefts": [about(0.95, 0.01), about(0.95, 0.01)],
        },
        "holds in part": {
            "best": [about(1), about(2)],
            "against_edge": [about(1), about(1)],
            "lefts": [about(0.1), about(0.7)],
        },
        "does not hold": {"best": [about(1), about(2)], "against_edge": [about(1), about(2)]},
        "undecided": {
            "best": [about(1), about(2)],
            "against_edge": [about(1), about(1)],
            "lefts": [about(0.1), about(0.9)],
        },
    },
    "sparse-start": {
        "holds": {
            "success": {"first, 50": about(0.9), "marked, 50": about(0.8)},
            "default": {"first, 50": about(0.1)},
        },
        "holds in part": {
            "success": {"first, 50": about(0.9), "marked, 50": about(0.2)},
            "default": {"first, 50": about(0.1)},
        },
        "does not hold": {
            "success": {"first, 50": about(0.2), "marked, 50": about(0.2)},
            "default": {},
        },
        "undecided": {
            "success": {"first, 50": about(0.9), "marked, 50": about(0.5)},
            "default": {},
        },
    },
    "time-scales": {
        "holds": {"gains": {"skips": about(0.5), "removing connections": about(0.5)}},
        "holds in part": {"gains": {"skips": about(0.5), "removing connections": about(-0.5)}},
        "does not hold": {"gains": {"skips": about(-0.5), "removing connections": about(-0.5)}},
        "undecided": {"gains": {"skips": about(0.5), "removing connections": about(0)}},
    },
}
