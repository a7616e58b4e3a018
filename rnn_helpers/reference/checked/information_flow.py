"""The functions of `reference.information_flow` that check their arguments."""

from rnn_helpers.reference import information_flow
from rnn_helpers.reference._guard import guarded

flowed_back = guarded(information_flow.flowed_back)
gradient_size = guarded(information_flow.gradient_size)
omega = guarded(information_flow.omega)
