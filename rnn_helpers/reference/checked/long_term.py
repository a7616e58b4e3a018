"""The functions of `reference.long_term` that check their arguments."""

from rnn_helpers.reference import long_term
from rnn_helpers.reference._guard import guarded, time

linear_step = guarded(long_term.linear_step)
linear_state = guarded(long_term.linear_state, t=time)
spectral_state = guarded(long_term.spectral_state, t=time)
spectral_state_as_printed = guarded(long_term.spectral_state_as_printed, t=time)
