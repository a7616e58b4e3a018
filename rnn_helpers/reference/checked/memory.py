"""The functions of `reference.memory` that check their arguments."""

from rnn_helpers.reference import memory
from rnn_helpers.reference._guard import cells_of, guarded

cosines = guarded(memory.cosines)
content_scores = guarded(memory.content_scores)
grad_content_scores = guarded(memory.grad_content_scores)
interpolate_weights = guarded(memory.interpolate_weights)
grad_interpolate_weights = guarded(memory.grad_interpolate_weights)
shift_weights = guarded(memory.shift_weights)
grad_shift_weights = guarded(memory.grad_shift_weights)
sharpen_weights = guarded(memory.sharpen_weights)
grad_sharpen_weights = guarded(memory.grad_sharpen_weights)
write_cells = guarded(memory.write_cells)
grad_write_cells = guarded(memory.grad_write_cells)
grad_drawn = guarded(memory.grad_drawn, drawn=cells_of("weights"))
recall = guarded(memory.recall)
