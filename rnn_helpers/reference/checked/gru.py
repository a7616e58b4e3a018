"""The functions of `reference.gru` that check their arguments."""

from rnn_helpers.reference import gru
from rnn_helpers.reference._guard import choice_of, guarded
from rnn_helpers.reference.rnn import NONLINEARITIES

update_gate = guarded(gru.update_gate)
reset_gate = guarded(gru.reset_gate)
target_state = guarded(gru.target_state, squash=choice_of(NONLINEARITIES))
gru_state = guarded(gru.gru_state)
