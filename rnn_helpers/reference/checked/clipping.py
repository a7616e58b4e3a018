"""The functions of `reference.clipping` that check their arguments."""

from rnn_helpers.reference import clipping
from rnn_helpers.reference._guard import direction, guarded, positive

exceeds = guarded(clipping.exceeds, v=positive)
rescale = guarded(clipping.rescale, g=direction, v=positive)
