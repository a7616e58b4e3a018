"""The equations of the sources as NumPy functions, one for each, and the networks built on them."""

from typing import TYPE_CHECKING

from rnn_helpers.lazy import lazily

if TYPE_CHECKING:
    from rnn_helpers.reference.activations import log_softmax, one_hot, sigmoid, softmax
    from rnn_helpers.reference.all_equations import EQUATIONS
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
        bidirectional_forward,
        bidirectional_loss,
        four_directions,
        init_bidirectional,
        init_four_directions,
        turned,
    )
    from rnn_helpers.reference.bptt import rnn_backward
    from rnn_helpers.reference.checked.attention import (
        additive_scores,
        attention_weights,
        dot_scores,
        grad_averaged,
        grad_scores,
        weighted_average,
    )
    from rnn_helpers.reference.checked.bptt import (
        grad_b,
        grad_c,
        grad_last_state,
        grad_output,
        grad_state,
        grad_state_as_printed,
        grad_step_loss,
        grad_U,
        grad_V,
        grad_W,
        state_jacobian,
        sum_outer,
    )
    from rnn_helpers.reference.checked.clipping import exceeds, rescale
    from rnn_helpers.reference.checked.gru import gru_state, reset_gate, target_state, update_gate
    from rnn_helpers.reference.checked.information_flow import flowed_back, gradient_size, omega
    from rnn_helpers.reference.checked.long_term import (
        linear_state,
        linear_step,
        spectral_state,
        spectral_state_as_printed,
    )
    from rnn_helpers.reference.checked.lstm import (
        cell_input,
        cell_output,
        cell_state,
        forget_gate,
        input_gate,
        output_gate,
    )
    from rnn_helpers.reference.checked.matrix_memory import matrix_step
    from rnn_helpers.reference.checked.memory import (
        content_scores,
        cosines,
        grad_content_scores,
        grad_drawn,
        grad_interpolate_weights,
        grad_sharpen_weights,
        grad_shift_weights,
        grad_write_cells,
        interpolate_weights,
        recall,
        sharpen_weights,
        shift_weights,
        write_cells,
    )
    from rnn_helpers.reference.checked.rnn import (
        hidden_state,
        input_term,
        output,
        preactivation,
        step_loss,
        times,
    )
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
    from rnn_helpers.reference.equations import equation
    from rnn_helpers.reference.gated_bptt import (
        gru_backward,
        gru_gradient_through_time,
        lstm_backward,
        lstm_gradient_through_time,
    )
    from rnn_helpers.reference.graphical import (
        ENDS,
        Filled,
        coin_of_symbol,
        ending_log_probability,
        exact_filling,
        forward_filling,
        gaussian_loss,
        joint_table,
        log_joint,
        network_numbers,
        predictive_log_likelihood,
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
        modes,
        power_norms,
        spectral_radius,
        state_jacobians,
    )
    from rnn_helpers.reference.lstm import LSTMRun, init_lstm, lstm_forward
    from rnn_helpers.reference.matrix_memory import (
        MatrixRun,
        ReadAllRun,
        matrix_forward,
        read_all_forward,
    )
    from rnn_helpers.reference.memory import AddressRun, address_forward
    from rnn_helpers.reference.notation import from_chiang, to_chiang
    from rnn_helpers.reference.output_recurrence import (
        FEEDBACK,
        OutputRun,
        TwoSteps,
        forced_forward,
        init_output_rnn,
        output_backward,
        output_forward,
        scheduled_optimum,
        through_output,
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
        clock_connections,
        clock_moves,
        running_average,
        skip_companion,
        skip_gradient,
        time_scale_forward,
        ways_back,
    )
    from rnn_helpers.reference.truncated import truncated_gradient

__getattr__, __dir__, __all__ = lazily(__name__)
