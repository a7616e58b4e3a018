"""The functions of `reference.attention` that check their arguments."""

from rnn_helpers.reference import attention
from rnn_helpers.reference._guard import guarded

dot_scores = guarded(attention.dot_scores)
additive_scores = guarded(attention.additive_scores)
attention_weights = guarded(attention.attention_weights)
weighted_average = guarded(attention.weighted_average)
grad_scores = guarded(attention.grad_scores)
grad_averaged = guarded(attention.grad_averaged)
