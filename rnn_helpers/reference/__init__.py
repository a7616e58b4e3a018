"""The equations of the sources as NumPy functions, one for each, and the networks built on them."""

from rnn_helpers.reference import (
    attention,
    bptt,
    clipping,
    gru,
    information_flow,
    long_term,
    lstm,
    matrix_memory,
    memory,
    rnn,
)
from rnn_helpers.reference._guard import (
    cells_of,
    choice_of,
    direction,
    guarded,
    inputs,
    mask,
    positive,
    time,
    tokens_of,
)
from rnn_helpers.reference.activations import log_softmax, one_hot, sigmoid, softmax
from rnn_helpers.reference.attention import (
    AttentionRun,
    attention_backward,
    attention_forward,
    init_attention,
)
from rnn_helpers.reference.automata import (
    END,
    Automaton,
    automaton,
    bigram_automaton,
    bigram_counts,
    bracket_automaton,
    intersect,
)
from rnn_helpers.reference.bidirectional import (
    BidirectionalRun,
    FourRun,
    bidirectional_backward,
    bidirectional_forward,
    bidirectional_loss,
    four_directions,
    four_directions_backward,
    init_bidirectional,
    init_four_directions,
    turned,
)
from rnn_helpers.reference.bptt import rnn_backward
from rnn_helpers.reference.cliff import cliff_gradient, cliff_loss, cliff_state
from rnn_helpers.reference.clipping import (
    clip_by_element,
    clip_by_norm,
    clip_hidden,
    joint_norm,
    random_step,
)
from rnn_helpers.reference.context import (
    best_distribution,
    context_backward,
    context_forward,
    context_write,
    expected_losses,
    init_context,
    rule_joint,
)
from rnn_helpers.reference.deep import (
    DeepRun,
    Depth,
    deep_backward,
    deep_circuit,
    deep_forward,
    deep_shapes,
    init_deep,
)
from rnn_helpers.reference.dynamics import drive, iterate, unfolded
from rnn_helpers.reference.echo_state import (
    echo_state_gap,
    init_reservoir,
    memory_capacity,
    reservoir_states,
    ridge_readout,
)
from rnn_helpers.reference.encoder_decoder import (
    Translation,
    translate_backward,
    translate_forward,
)
from rnn_helpers.reference.equations import EQUATIONS, equation
from rnn_helpers.reference.gated_bptt import (
    gru_backward,
    gru_gradient_through_time,
    lstm_backward,
    lstm_gradient_through_time,
)
from rnn_helpers.reference.graphical import (
    ENDS,
    Filled,
    ancestral_sample,
    coin_of_symbol,
    ending_log_probability,
    exact_filling,
    fed_predictions,
    forward_filling,
    gaussian_loss,
    gibbs_filling,
    joint_table,
    log_joint,
    network_numbers,
    predictive_log_likelihood,
    sample_to_end,
    sequence_losses,
    symbol_of_coin,
    symbols_before,
    table_numbers,
    total_correlation,
)
from rnn_helpers.reference.gru import GRURun, gru_as_printed, gru_forward, init_gru
from rnn_helpers.reference.information_flow import omega_gradient, omega_terms
from rnn_helpers.reference.initialisation import INITIALISATIONS, init_recurrent
from rnn_helpers.reference.long_term import (
    Modes,
    direction_changes,
    eigendecompose,
    gradient_through_time,
    jacobian_products,
    modes,
    power_norms,
    spectral_radius,
    state_jacobians,
)
from rnn_helpers.reference.lstm import LSTMRun, init_lstm, lstm_forward
from rnn_helpers.reference.matrix_memory import (
    MatrixRun,
    ReadAllRun,
    matrix_backward,
    matrix_forward,
    read_all_backward,
    read_all_forward,
)
from rnn_helpers.reference.memory import AddressRun, address_backward, address_forward
from rnn_helpers.reference.notation import from_chiang, to_chiang
from rnn_helpers.reference.output_recurrence import (
    SAYS,
    OutputRun,
    TwoSteps,
    forced_forward,
    init_output_rnn,
    output_backward,
    output_forward,
    scheduled,
    scheduled_optimum,
    through_output,
    truth_share,
    two_step_log_likelihood,
)
from rnn_helpers.reference.perturbation import separation, widest_perturbation
from rnn_helpers.reference.plateau import TwoSpans, two_spans, two_spans_path, two_spans_step
from rnn_helpers.reference.recursive import (
    RecursiveRun,
    init_recursive,
    recursive_backward,
    recursive_forward,
    recursive_loss,
    root_jacobians,
)
from rnn_helpers.reference.rnn import (
    NONLINEARITIES,
    Run,
    init_rnn,
    initial_state,
    probabilities,
    rnn_forward,
    rnn_loss,
)
from rnn_helpers.reference.search import Found, beam_search, exact_search
from rnn_helpers.reference.second_order import (
    HessianFreeStep,
    PowerDerivatives,
    conjugate_gradient,
    gauss_newton_product,
    hessian_free_step,
    output_tangent,
    power_derivatives,
)
from rnn_helpers.reference.spiking import liquid_states
from rnn_helpers.reference.time_scales import (
    clock_hears,
    clock_moves,
    running_average,
    skip_companion,
    skip_gradient,
    time_scale_forward,
    ways_back,
)
from rnn_helpers.reference.truncated import truncated_gradient

times = guarded(rnn.times)
input_term = guarded(rnn.input_term, x=inputs)
preactivation = guarded(rnn.preactivation)
hidden_state = guarded(rnn.hidden_state, nonlinearity=choice_of(NONLINEARITIES))
output = guarded(rnn.output)
step_loss = guarded(rnn.step_loss, y=tokens_of("log_yhat"))
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
exceeds = guarded(clipping.exceeds, v=positive)
rescale = guarded(clipping.rescale, g=direction, v=positive)
linear_step = guarded(long_term.linear_step)
linear_state = guarded(long_term.linear_state, t=time)
spectral_state = guarded(long_term.spectral_state, t=time)
spectral_state_as_printed = guarded(long_term.spectral_state_as_printed, t=time)
dot_scores = guarded(attention.dot_scores)
additive_scores = guarded(attention.additive_scores)
attention_weights = guarded(attention.attention_weights)
weighted_average = guarded(attention.weighted_average)
grad_scores = guarded(attention.grad_scores)
grad_averaged = guarded(attention.grad_averaged)
forget_gate = guarded(lstm.forget_gate)
input_gate = guarded(lstm.input_gate)
cell_input = guarded(lstm.cell_input, squash=choice_of(NONLINEARITIES))
cell_state = guarded(lstm.cell_state)
output_gate = guarded(lstm.output_gate)
cell_output = guarded(lstm.cell_output)
update_gate = guarded(gru.update_gate)
reset_gate = guarded(gru.reset_gate)
target_state = guarded(gru.target_state, squash=choice_of(NONLINEARITIES))
gru_state = guarded(gru.gru_state)
flowed_back = guarded(information_flow.flowed_back)
gradient_size = guarded(information_flow.gradient_size)
omega = guarded(information_flow.omega)
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
matrix_step = guarded(matrix_memory.matrix_step, rule=choice_of(matrix_memory.RULES))

__all__ = [
    "END",
    "ENDS",
    "EQUATIONS",
    "INITIALISATIONS",
    "NONLINEARITIES",
    "SAYS",
    "AddressRun",
    "AttentionRun",
    "Automaton",
    "BidirectionalRun",
    "DeepRun",
    "Depth",
    "Filled",
    "Found",
    "FourRun",
    "GRURun",
    "HessianFreeStep",
    "LSTMRun",
    "MatrixRun",
    "Modes",
    "OutputRun",
    "PowerDerivatives",
    "ReadAllRun",
    "RecursiveRun",
    "Run",
    "Translation",
    "TwoSpans",
    "TwoSteps",
    "additive_scores",
    "address_backward",
    "address_forward",
    "ancestral_sample",
    "attention_backward",
    "attention_forward",
    "attention_weights",
    "automaton",
    "beam_search",
    "best_distribution",
    "bidirectional_backward",
    "bidirectional_forward",
    "bidirectional_loss",
    "bigram_automaton",
    "bigram_counts",
    "bracket_automaton",
    "cell_input",
    "cell_output",
    "cell_state",
    "cliff_gradient",
    "cliff_loss",
    "cliff_state",
    "clip_by_element",
    "clip_by_norm",
    "clip_hidden",
    "clock_hears",
    "clock_moves",
    "coin_of_symbol",
    "conjugate_gradient",
    "content_scores",
    "context_backward",
    "context_forward",
    "context_write",
    "cosines",
    "deep_backward",
    "deep_circuit",
    "deep_forward",
    "deep_shapes",
    "direction_changes",
    "dot_scores",
    "drive",
    "echo_state_gap",
    "eigendecompose",
    "ending_log_probability",
    "equation",
    "exact_filling",
    "exact_search",
    "exceeds",
    "expected_losses",
    "fed_predictions",
    "flowed_back",
    "forced_forward",
    "forget_gate",
    "forward_filling",
    "four_directions",
    "four_directions_backward",
    "from_chiang",
    "gauss_newton_product",
    "gaussian_loss",
    "gibbs_filling",
    "grad_U",
    "grad_V",
    "grad_W",
    "grad_averaged",
    "grad_b",
    "grad_c",
    "grad_content_scores",
    "grad_drawn",
    "grad_interpolate_weights",
    "grad_last_state",
    "grad_output",
    "grad_scores",
    "grad_sharpen_weights",
    "grad_shift_weights",
    "grad_state",
    "grad_state_as_printed",
    "grad_step_loss",
    "grad_write_cells",
    "gradient_size",
    "gradient_through_time",
    "gru_as_printed",
    "gru_backward",
    "gru_forward",
    "gru_gradient_through_time",
    "gru_state",
    "hessian_free_step",
    "hidden_state",
    "init_attention",
    "init_bidirectional",
    "init_context",
    "init_deep",
    "init_four_directions",
    "init_gru",
    "init_lstm",
    "init_output_rnn",
    "init_recurrent",
    "init_recursive",
    "init_reservoir",
    "init_rnn",
    "initial_state",
    "input_gate",
    "input_term",
    "interpolate_weights",
    "intersect",
    "iterate",
    "jacobian_products",
    "joint_norm",
    "joint_table",
    "linear_state",
    "linear_step",
    "liquid_states",
    "log_joint",
    "log_softmax",
    "lstm_backward",
    "lstm_forward",
    "lstm_gradient_through_time",
    "matrix_backward",
    "matrix_forward",
    "matrix_step",
    "memory_capacity",
    "modes",
    "network_numbers",
    "omega",
    "omega_gradient",
    "omega_terms",
    "one_hot",
    "output",
    "output_backward",
    "output_forward",
    "output_gate",
    "output_tangent",
    "power_derivatives",
    "power_norms",
    "preactivation",
    "predictive_log_likelihood",
    "probabilities",
    "random_step",
    "read_all_backward",
    "read_all_forward",
    "recall",
    "recursive_backward",
    "recursive_forward",
    "recursive_loss",
    "rescale",
    "reservoir_states",
    "reset_gate",
    "ridge_readout",
    "rnn_backward",
    "rnn_forward",
    "rnn_loss",
    "root_jacobians",
    "rule_joint",
    "running_average",
    "sample_to_end",
    "scheduled",
    "scheduled_optimum",
    "separation",
    "sequence_losses",
    "sharpen_weights",
    "shift_weights",
    "sigmoid",
    "skip_companion",
    "skip_gradient",
    "softmax",
    "spectral_radius",
    "spectral_state",
    "spectral_state_as_printed",
    "state_jacobian",
    "state_jacobians",
    "step_loss",
    "sum_outer",
    "symbol_of_coin",
    "symbols_before",
    "table_numbers",
    "target_state",
    "through_output",
    "time_scale_forward",
    "times",
    "to_chiang",
    "total_correlation",
    "translate_backward",
    "translate_forward",
    "truncated_gradient",
    "truth_share",
    "turned",
    "two_spans",
    "two_spans_path",
    "two_spans_step",
    "two_step_log_likelihood",
    "unfolded",
    "update_gate",
    "ways_back",
    "weighted_average",
    "widest_perturbation",
    "write_cells",
]
