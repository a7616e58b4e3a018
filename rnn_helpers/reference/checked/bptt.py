"""The functions of `reference.bptt` that check their arguments."""

from rnn_helpers.reference import bptt
from rnn_helpers.reference._guard import guarded, mask, tokens_of

sum_outer = guarded(bptt.sum_outer)
grad_step_loss = guarded(bptt.grad_step_loss, mask=mask)
grad_output = guarded(bptt.grad_output, y=tokens_of("yhat"))
grad_last_state = guarded(bptt.grad_last_state)
state_jacobian = guarded(bptt.state_jacobian)
grad_state = guarded(bptt.grad_state)
grad_state_as_printed = guarded(bptt.grad_state_as_printed)
grad_c = guarded(bptt.grad_c)
grad_b = guarded(bptt.grad_b)
grad_V = guarded(bptt.grad_V)
grad_W = guarded(bptt.grad_W)
grad_U = guarded(bptt.grad_U)
