"""The functions of `reference.matrix_memory` that check their arguments."""

from rnn_helpers.reference import matrix_memory
from rnn_helpers.reference._guard import choice_of, guarded

matrix_step = guarded(matrix_memory.matrix_step, rule=choice_of(matrix_memory.RULES))
