"""The functions of `reference.lstm` that check their arguments."""

from rnn_helpers.reference import lstm
from rnn_helpers.reference._guard import choice_of, guarded
from rnn_helpers.reference.rnn import NONLINEARITIES

forget_gate = guarded(lstm.forget_gate)
input_gate = guarded(lstm.input_gate)
cell_input = guarded(lstm.cell_input, squash=choice_of(NONLINEARITIES))
cell_state = guarded(lstm.cell_state)
output_gate = guarded(lstm.output_gate)
cell_output = guarded(lstm.cell_output)
