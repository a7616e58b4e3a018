"""Example numbers for each kind of verdict and for `restricted`, by claim.

A case contains only the numbers that the claim's conditions use.
"""

from rnn_helpers.experiments.claims.chapter_11.where_to_be_deep import BOXES, OUTPUT
from rnn_helpers.experiments.claims.chapter_14.convex_readout import ADAM, MOMENTUM, PLAIN
from rnn_helpers.experiments.claims.chapter_16.conv_lstm import CONV, SAME
from rnn_helpers.experiments.claims.chapter_16.gradient_reach_gated import OPEN, SHUT
from rnn_helpers.experiments.claims.chapter_17 import hessian_free as hf
from rnn_helpers.experiments.claims.chapter_18.copying_preserves import APART, ELSEWHERE, LOT
from rnn_helpers.experiments.claims.chapter_18.recall import LARGE, SOFTMAX
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


def gains(one_back, four_back):
    """Return a network's gains over tables that look back one bit or four bits."""
    return {
        "a table for each step": [about(one_back)],
        "a table for each step, four bits back": [about(four_back)],
    }


def captions(step, start, both):
    """Return the share of correct new sentences for each place where the picture enters."""
    return {"step_new": about(step), "start_new": about(start), "both_new": about(both)}


def padding(mixed=0.6, faster=9, unmasked=0.1):
    """Return the padding in random order, the speed of minibatches, and the cost of no mask."""
    return {
        "mixed": about(mixed, 0.01),
        "saved": about(0.5),
        "faster": about(faster),
        "unmasked": about(unmasked, 0.05),
    }


def recalled(form=0.5, larger=0.1, softmax=1.0):
    """Return how much memories recall of few and of many pairs."""
    return {
        "few": {SOFTMAX: about(1, 0.01)},
        "most": {SOFTMAX: about(softmax, 0.01), LARGE: about(0.5)},
        "larger": about(larger, 0.01),
        "ahead": about(0.1, 0.01),
        "form": about(form),
    }


def copies(**left):
    """Return the shares of its gradient that a cell keeps if nearly every step copies it."""
    copied = dict.fromkeys((ELSEWHERE, APART, LOT), 0.97)
    return {"copied": copied, "most": 1.0} | {way: about(x, 0.05) for way, x in left.items()}


def paths(mitigated=0.3, orthogonal=0, less=0):
    """Return the cost of a hidden layer and the gain from a skip connection, by initialization."""
    return {
        "hurts": about(0.3),
        "mitigated": about(mitigated),
        "hurts_orthogonal": about(orthogonal),
        "mitigated_orthogonal": about(orthogonal),
        "hurts_less": about(less),
    }


def curve(flat, turns):
    """Return the flat share and the number of turns of a composed layer."""
    return {"flat": about(flat), "turns": about(turns)}


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
    "text-sizes": {
        "holds": {"least": about(-0.2), "least_last": about(-0.2)},
        "holds in part": {
            "least": about(-0.2),
            "least_last": about(0, 0.01),
            "least_first": about(-0.5),
        },
        "does not hold": {"least": about(0.2), "least_first": about(0)},
        "undecided": {"least": about(0), "least_first": about(0)},
    },
    "padding": {
        "holds": padding(mixed=0.05),
        "holds in part": padding(),
        "does not hold": padding(faster=0.5),
        "undecided": padding(unmasked=0),
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
    "told-addresses": {
        "holds": {"rate": about(0.95), "looks_right": about(0.95)},
        "holds in part": {"rate": about(0.95), "looks_right": about(0.6)},
        "does not hold": {"rate": about(0.3), "told": about(0.99, 0.01)},
        "undecided": {"rate": about(0.3), "told": about(0.5)},
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
    "output-delay": {
        "holds": {"whole": about(0.9), "forced": about(0.1), "logits": about(0.1)},
        "holds in part": {"whole": about(0.9), "forced": about(0.1), "logits": about(0.8)},
        "does not hold": {"whole": about(0.2), "forced": about(0.1)},
        "undecided": {"whole": about(0.9), "forced": about(0.1), "logits": about(0.25)},
    },
    "counting-steps": {
        "holds": {"gains": gains(1, 1)},
        "holds in part": {"gains": gains(0, 1)},
        "does not hold": {"gains": gains(-1, 0)},
        "undecided": {"gains": gains(0, 0)},
    },
    "filling-gaps": {
        "holds": {"lost": about(0.3), "gibbs": about(0.3), "both": about(0.3)},
        "holds in part": {"lost": about(0.3), "gibbs": about(0.3), "both": about(-0.1)},
        "does not hold": {"lost": about(-0.1), "gibbs": about(0.3), "both": about(-0.1)},
        "undecided": {"lost": about(0.3), "gibbs": about(0.3), "both": about(0)},
    },
    "squared-error": {
        "holds": {
            "prediction": about(0, 0.01),
            "gain": about(0.95, 0.01),
            "best": about(0.3),
        },
        "holds in part": {
            "prediction": about(0, 0.01),
            "gain": about(0.95, 0.01),
            "best": about(0.9),
            "unit": about(0.2),
        },
        "does not hold": {"prediction": about(0.4), "gain": about(0.95, 0.01)},
        "undecided": {"prediction": about(0.1), "gain": about(0.95, 0.01)},
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
    "bo-words": {
        "holds": {"gap": about(0, 0.01), "ahead": about(0.4)},
        "holds in part": {"gap": about(0.1), "ahead": about(0.4)},
        "does not hold": {"gap": about(0, 0.01), "ahead": about(0, 0.01)},
        "undecided": {"gap": about(0, 0.01), "ahead": about(0.05)},
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
            "last_sweeps": about(0.8),
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
    "four-directions": {
        "holds": {"worst": about(0.9), "more": about(0, 0.005)},
        "holds in part": {"worst": about(0.9), "more": about(0, 0.02)},
        "does not hold": {"worst": about(0.9), "more": about(-0.2)},
        "undecided": {"worst": about(0.9), "more": about(0)},
    },
    "reversed-source": {
        "holds": {
            "ahead": about(0.2),
            "first_backwards": about(0.95, 0.01),
            "first_forwards": about(0.7),
        },
        "holds in part": {
            "ahead": about(0.2),
            "first_backwards": about(0.7),
            "first_forwards": about(0.95, 0.01),
        },
        "does not hold": {"ahead": about(-0.1)},
        "undecided": {"ahead": about(0)},
    },
    "where-to-be-deep": {
        "holds": {"gains": dict.fromkeys(BOXES, about(0.3)), "all": about(0.3)},
        "holds in part": {"gains": dict.fromkeys(BOXES, about(-0.3)) | {OUTPUT: about(0.3)}},
        "does not hold": {"gains": dict.fromkeys(BOXES, about(-0.3))},
        "undecided": {"gains": dict.fromkeys(BOXES, about(0))},
    },
    "copying-preserves": {
        "holds": copies(alone=1, apart=1, lot=1, content=1),
        "restricted": copies(alone=1, apart=1, lot=0.01, content=1),
        "does not hold": copies(alone=0.5, apart=1, lot=0.01, content=1),
        "undecided": copies(alone=1, apart=1, lot=0.5, content=1),
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
    "delta-sum": {
        "holds": {
            "once": {"softmax": about(0.99, 0.01)},
            "rebound_lead": about(0.5),
            "once_whole": about(0, 0.01),
            "crowded_lead": about(0.2),
        },
        "holds in part": {
            "once": {"softmax": about(0.99, 0.01)},
            "rebound_lead": about(0.5),
            "once_whole": about(-0.2),
        },
        "does not hold": {
            "once": {"softmax": about(0.99, 0.01)},
            "rebound_lead": about(-0.1),
        },
        "undecided": {"once": {"softmax": about(0.5)}},
    },
    "soft-or-hard": {
        "holds": {
            "most": 3,
            "learned": {3: {"soft": about(0.9)}},
            "apart": {1: about(0), 3: about(0.6)},
            "later": {1: about(3), 3: None},
        },
        "holds in part": {
            "most": 3,
            "learned": {3: {"soft": about(0.9)}},
            "apart": {1: about(0), 3: about(0.6)},
            "later": {1: about(1), 3: None},
        },
        "does not hold": {
            "most": 3,
            "learned": {3: {"soft": about(0.9)}},
            "apart": {1: about(0), 3: about(0)},
            "later": {1: about(3), 3: about(1)},
        },
        "undecided": {"most": 3, "learned": {3: {"soft": about(0.5)}}},
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
    "wider-beam": {
        "holds": {
            "gained": about(0.05, 0.02),
            "gained_beyond": about(0, 0.005),
            "lost": about(0.002, 0.002),
        },
        "restricted": {
            "gained": about(0.05, 0.02),
            "gained_beyond": about(0, 0.005),
            "lost": about(0.02, 0.01),
        },
        "does not hold": {
            "gained": about(0, 0.005),
            "gained_beyond": about(0, 0.005),
            "right": about(0.3),
        },
        "undecided": {
            "gained": about(0.01, 0.02),
            "gained_beyond": about(0, 0.005),
            "right": about(0.3),
        },
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
    "same-opposite": {
        "holds": {"best": {20: about(0.3)}, "worst": {20: about(0.3), 100: about(0.3)}},
        "holds in part": {
            "longest": 100,
            "best": {20: about(1), 100: about(0.6)},
            "worst": {20: about(0.8), 100: about(0.3)},
        },
        "does not hold": {
            "longest": 100,
            "best": {20: about(1), 100: about(1)},
            "worst": {20: about(0.8), 100: about(0.8)},
        },
        "undecided": {
            "longest": 100,
            "best": {20: about(1)},
            "worst": {20: about(0.5), 100: about(0.3)},
        },
    },
    "conv-lstm": {
        "holds": {
            "free": {CONV: about(0.2), SAME: about(0.8)},
            "moved": about(1, 0.01),
            "new": {CONV: about(0.2)},
        },
        "holds in part": {
            "free": {CONV: about(0.2), SAME: about(0.8)},
            "moved": about(3),
            "trained": {CONV: about(0.2)},
        },
        "does not hold": {
            "free": {CONV: about(0.8), SAME: about(0.2)},
            "moved": about(1, 0.01),
            "new": {CONV: about(0.2)},
        },
        "undecided": {
            "free": {CONV: about(0.2), SAME: about(0.8)},
            "moved": about(1.1),
            "trained": {CONV: about(0.2)},
        },
    },
    "gradient-reach-gated": {
        "holds": {"gates": {SHUT: about(0.97, 0.02), OPEN: about(0.97, 0.02)}},
        "holds in part": {"gates": {SHUT: about(0.6), OPEN: about(0.97, 0.02)}},
        "does not hold": {"gates": {SHUT: about(0.6), OPEN: about(0.6)}},
        "undecided": {"gates": {SHUT: about(0.9), OPEN: about(0.97, 0.02)}},
    },
    "lstm-parts": {
        "holds": {"over": {"whole": about(9)}, "over_never": {"whole": about(9)}},
        "holds in part": {
            "over": {"whole": about(9)},
            "over_never": {"whole": about(1)},
            "without": about(9),
            "never_without": about(1),
        },
        "does not hold": {
            "over": {"whole": about(9), "no input gate": about(0.5)},
            "over_never": {"whole": about(1)},
        },
        "undecided": {
            "over": {"whole": about(9), "no input gate": about(1)},
            "over_never": {"whole": about(1)},
        },
    },
    "reset-placement": {
        "holds": {"printed": about(1), "against_after": about(1), "same": about(1)},
        "holds in part": {"printed": about(1), "against_after": about(1), "same": about(3)},
        "does not hold": {"printed": about(3), "against_after": about(1), "same": about(3)},
        "undecided": {"printed": about(1.5), "against_after": about(1), "same": about(3)},
    },
    "sequential-digits": {
        "holds": {"more": about(0.3)},
        "restricted": {"more": about(-0.3), "of_units": about(0.3)},
        "does not hold": {"more": about(-0.3), "of_units": about(-0.3)},
        "undecided": {"more": about(0), "of_units": about(0.3)},
    },
    "shared-gates": {
        "holds": {"against": {"a": [about(1)]}, "against_longer": {"a": [about(1)]}},
        "holds in part": {"against": {"a": [about(1)]}, "against_longer": {"a": [about(0.5)]}},
        "does not hold": {"against": {"a": [about(0.5)]}},
        "undecided": {"against": {"a": [about(0.8, 0.3)]}},
    },
    "cliff-steepness": {
        "holds": {
            "of_predicted": about(1, 0.01),
            "grows": about(1.4),
            "rank_two": about(0.9),
            "rank": about(0.9),
        },
        "holds in part": {
            "of_predicted": about(1, 0.01),
            "grows": about(1.4),
            "rank_two": about(0.9),
            "rank": about(0.1),
        },
        "does not hold": {
            "of_predicted": about(0.5),
            "grows": about(1.4),
            "rank_two": about(0.9),
        },
        "undecided": {
            "of_predicted": about(1, 0.01),
            "grows": about(1),
            "rank_two": about(0.9),
        },
    },
    "clipped-average": {
        "holds": {
            "own": 0.0,
            "heaviest": 0.9,
            "turned": about(0.8),
            "turned_many": about(0.8),
            "saved": [about(9)],
        },
        "holds in part": {
            "own": 0.0,
            "heaviest": 0.9,
            "turned": about(0.8),
            "turned_many": about(0.999, 0.001),
        },
        "does not hold": {"own": 0.0, "heaviest": 0.9, "turned": about(0.999, 0.001)},
        "undecided": {
            "own": 0.0,
            "heaviest": 0.9,
            "turned": about(0.99),
            "turned_many": about(0.999, 0.001),
        },
    },
    "curvature-ratio": {
        "holds": {"moves": [about(0)], "moves_kept": [about(0)]},
        "holds in part": {"moves": [about(0)], "moves_kept": [about(1)]},
        "does not hold": {"moves": [about(1)], "moves_kept": [about(1)]},
        "undecided": {"moves": [], "moves_kept": []},
    },
    "flow-against-lstm": {
        "holds": {"steps": 50_000, "gap": about(0.3)},
        "holds in part": {"steps": 50_000, "gap": about(-0.3), "gap_of_units": about(0.3)},
        "does not hold": {"steps": 50_000, "gap": about(-0.3), "gap_of_units": about(-0.3)},
        "undecided": {"steps": 1_500, "gap": about(-0.3), "gap_of_units": about(0.3)},
    },
    "flow-clipping": {
        "holds": {"at_own": about(0.2)},
        "does not hold": {"at_own": about(0.8)},
        "undecided": {"at_own": about(0.5)},
    },
    "information-flow-span": {
        "holds": {"gains": [about(0.5), about(0.5)], "over_rival": [about(0.5), about(0.5)]},
        "holds in part": {
            "gains": [about(0.5), about(0)],
            "over_rival": [about(0.5), about(0.5)],
            "clearest": about(0.5),
        },
        "does not hold": {
            "gains": [about(0), about(0)],
            "over_rival": [about(0), about(0)],
            "clearest": about(0),
        },
        "undecided": {
            "gains": [about(0), about(0, 0.3)],
            "over_rival": [about(0), about(0)],
            "clearest": about(0),
        },
    },
    "omega-gradient": {
        "holds": {"cosine": about(0.96, 0.01), "ahead": about(0, 0.01)},
        "holds in part": {"cosine": about(0.5), "ahead": about(0, 0.01)},
        "does not hold": {"cosine": about(0.5), "ahead": about(-0.5)},
        "undecided": {"cosine": about(0.9), "ahead": about(0, 0.01)},
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
    "tree-without-labels": {
        "holds": {"parts": about(0.95, 0.01), "ahead": about(0.2)},
        "holds in part": {"parts": about(0.4), "ahead": about(0.2)},
        "does not hold": {"parts": about(0.95, 0.01), "ahead": about(-0.1)},
        "undecided": {"parts": about(0.4), "ahead": about(0)},
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
    "features-states": {
        "holds": {"counted": [about(0.2), about(0.3)], "ngram": [about(0.2), about(0.3)]},
        "holds in part": {"counted": [about(-0.2), about(0.3)], "ngram": [about(0.2), about(0.3)]},
        "does not hold": {
            "counted": [about(-0.2), about(-0.3)],
            "ngram": [about(0.2), about(0.3)],
        },
        "undecided": {"counted": [about(-0.2), about(0)], "ngram": [about(0.2), about(0.3)]},
    },
    "linear-cost": {
        "holds": {"memory": about(1, 0.01), "time": about(1, 0.01)},
        "holds in part": {"memory": about(1, 0.01), "time": about(2, 0.01)},
        "does not hold": {"memory": about(0.5, 0.01), "time": about(1, 0.01)},
        "undecided": {"memory": about(1, 0.2), "time": about(1, 0.01)},
    },
    "stack-depth": {
        "holds": {"whole": about(0.9), "tanh": about(60)},
        "holds in part": {"whole": about(0.9), "tanh": about(2)},
        "does not hold": {"whole": about(0.2), "tanh": about(2)},
        "undecided": {"whole": about(0.5), "tanh": about(2)},
    },
    "bptt-exact": {
        "holds": {"exact": about(0.9), "printed": about(0.9)},
        "holds in part": {"exact": about(0.9), "printed": about(0.1)},
        "does not hold": {"exact": about(0.1), "printed": about(0.1)},
        "undecided": {"exact": about(0.5), "printed": about(0.1)},
    },
    "greedy-loops": {
        "holds": {"caught": about(0.2)},
        "holds in part": {"caught": about(0.5), "shares": {"RNN": about(0.9), "LSTM": about(0.1)}},
        "does not hold": {"caught": about(0.9), "shares": {"RNN": about(0.9), "LSTM": about(0.9)}},
        "undecided": {
            "caught": about(0.5),
            "shares": {"RNN": about(0.5), "LSTM": about(0.9)},
        },
    },
    "training-stages": {
        "holds": {"gains": {"words": about(0.5), "brackets": about(0.2)}},
        "holds in part": {"gains": {"words": about(0.5), "brackets": about(-0.2)}},
        "does not hold": {"gains": {"words": about(-0.5), "brackets": about(-0.2)}},
        "undecided": {"gains": {"words": about(0.5), "brackets": about(0)}},
    },
    "truncated-gradient": {
        "holds": {"middle": about(0.3)},
        "does not hold": {"middle": about(0.05, 0.01)},
        "undecided": {"middle": about(0.1)},
    },
    "forced-batch": {
        "holds": {"equal": about(0.9), "least": about(2), "ratio": about(9)},
        "holds in part": {"equal": about(0.9), "least": about(0.5), "ratio": about(9)},
        "does not hold": {"equal": about(0.9), "least": about(0.5), "ratio": about(0.5)},
        "undecided": {"equal": about(0.9), "least": about(1), "ratio": about(9)},
    },
    "date-translation": {
        "holds": {"earlier": about(0.9), "earlier_orthogonal": about(0.9)},
        "holds in part": {"earlier": about(0.9), "earlier_orthogonal": about(0.5)},
        "does not hold": {
            "earlier": about(0.2),
            "looks_reached": 8,
            "fixed_reached": 10,
            "n": 10,
        },
        "undecided": {
            "earlier": about(0.2),
            "looks_reached": 0,
            "fixed_reached": 2,
            "n": 10,
        },
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
    "composed-tanh": {
        "holds": {"seen": {"1": curve(0.9, 30), "5": curve(0.9, 30)}},
        "holds in part": {"seen": {"1": curve(0.5, 3), "5": curve(0.9, 30)}},
        "does not hold": {"seen": {"1": curve(0.5, 3), "5": curve(0.9, 3)}},
        "undecided": {"seen": {"1": curve(0.5, 3), "5": curve(0.75, 30)}},
    },
    "nonnormal-growth": {
        "holds": {"shares": [about(0.1), about(0.1)]},
        "holds in part": {"shares": [about(0.1), about(0.9)]},
        "does not hold": {"shares": [about(0.9), about(0.9)]},
        "undecided": {"shares": [about(0.5), about(0.9)]},
    },
    "power-form": {
        "holds": {"printed": about(1e-15, 1e-16), "exchanged": about(1)},
        "does not hold": {"printed": about(1), "exchanged": about(1e-15, 1e-16)},
        "undecided": {"printed": about(1), "exchanged": about(1e-9, 1e-10)},
    },
    "random-products": {
        "holds": {"wanted": 1.0, "variance": about(1), "log10_median": about(-0.2)},
        "holds in part": {
            "wanted": 1.0,
            "variance": about(1),
            "log10_median": about(-14),
            "widest": about(-0.6),
        },
        "does not hold": {
            "wanted": 1.0,
            "variance": about(1),
            "log10_median": about(-14),
            "widest": about(-60),
        },
        "undecided": {
            "wanted": 1.0,
            "variance": about(1.2),
            "log10_median": about(-14),
            "widest": about(-0.6),
        },
    },
    "ringing": {
        "holds": {"agree": about(0.96, 0.02)},
        "holds in part": {"agree": about(0.7), "alone": about(0.96, 0.02)},
        "does not hold": {"agree": about(0.3), "alone": about(0.5)},
        "undecided": {"agree": about(0.9), "alone": about(0.96, 0.02)},
    },
    "bounded-forward": {
        "holds": {
            "largest": 7.0,
            "bound": 7.07,
            "linear": 8.8,
            "from_smallest": about(8.8, 0.01),
            "late": about(1.2),
        },
        "holds in part": {
            "largest": 7.0,
            "bound": 7.07,
            "linear": 8.8,
            "from_smallest": about(8.8, 0.01),
            "late": about(0.8),
        },
        "does not hold": {
            "largest": 7.0,
            "bound": 7.07,
            "linear": 8.8,
            "from_smallest": about(-2),
            "late": about(0.8),
        },
        "undecided": {
            "largest": 7.0,
            "bound": 7.07,
            "linear": 8.8,
            "from_smallest": about(5),
            "late": about(0.8),
        },
    },
    "convex-readout": {
        "holds": {"arrives": dict.fromkeys((PLAIN, MOMENTUM, ADAM), about(0.9))},
        "holds in part": {"arrives": {PLAIN: about(0.1), MOMENTUM: about(0.9), ADAM: about(0.9)}},
        "does not hold": {"arrives": dict.fromkeys((PLAIN, MOMENTUM, ADAM), about(0.1))},
        "undecided": {"arrives": {PLAIN: about(0.5), MOMENTUM: about(0.9)}},
    },
    "lossy-summary": {
        "holds in part": {"shares": [about(0.3), about(0.1)]},
        "does not hold": {"shares": [about(1, 0.001), about(0.3)]},
        "undecided": {"shares": [about(0.95), about(0.3)]},
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
    "reservoir-series": {
        "holds": {"ratios": [about(0.9), about(0.9)]},
        "holds in part": {"ratios": [about(5), about(0.9)]},
        "does not hold": {"ratios": [about(5), about(5)]},
        "undecided": {"ratios": [about(5), about(1.1)]},
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
    "clockwork-wave": {
        "holds in part": {"against": [{"simple": about(0.2), "LSTM": about(0.2)}]},
        "does not hold": {"against": [{"simple": about(0.2), "LSTM": about(3)}]},
        "undecided": {"against": [{"simple": about(0.2), "LSTM": about(1)}]},
    },
    "hears-less": {
        "holds": {"success": about(0.8)},
        "holds in part": {
            "success": about(0.1),
            "best_success": about(0.9),
            "own_success": about(0.7),
        },
        "does not hold": {
            "success": about(0.1),
            "best_success": about(0.9),
            "own_success": about(0.1),
        },
        "undecided": {"success": about(0.4), "best_success": about(0.5)},
    },
    "learned-constants": {
        "holds": {"many": about(1e-5, 1e-6), "learned": about(0.001, 0.001)},
        "holds in part": {"many": about(0.05, 0.01), "learned": about(0.001, 0.001)},
        "does not hold": {"many": about(0.05, 0.01), "learned": about(0.1, 0.01)},
        "undecided": {"many": about(0.01, 0.001), "learned": about(0.001, 0.001)},
    },
    "skip-decay": {
        "holds": {
            "alone": [about(1, 0.01)],
            "exponent": about(1, 0.01),
            "growth": [about(1.2)],
        },
        "holds in part": {
            "alone": [about(1, 0.01)],
            "exponent": about(0.4),
            "growth": [about(1.2)],
        },
        "does not hold": {
            "alone": [about(1, 0.01)],
            "exponent": about(0.4),
            "growth": [about(0.8)],
        },
        "undecided": {
            "alone": [about(1, 0.01)],
            "exponent": about(0.4),
            "growth": [about(1)],
        },
    },
    "time-scales": {
        "holds": {"gains": {"skips": about(0.5), "removing connections": about(0.5)}},
        "holds in part": {"gains": {"skips": about(0.5), "removing connections": about(-0.5)}},
        "does not hold": {"gains": {"skips": about(-0.5), "removing connections": about(-0.5)}},
        "undecided": {"gains": {"skips": about(0.5), "removing connections": about(0)}},
    },
}
