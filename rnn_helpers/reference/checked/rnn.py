"""The functions of `reference.rnn` that check their arguments."""

from rnn_helpers.reference import rnn
from rnn_helpers.reference._guard import choice_of, guarded, inputs, tokens_of
from rnn_helpers.reference.rnn import NONLINEARITIES

times = guarded(rnn.times)
input_term = guarded(rnn.input_term, x=inputs)
preactivation = guarded(rnn.preactivation)
hidden_state = guarded(rnn.hidden_state, nonlinearity=choice_of(NONLINEARITIES))
output = guarded(rnn.output)
step_loss = guarded(rnn.step_loss, y=tokens_of("log_yhat"))
