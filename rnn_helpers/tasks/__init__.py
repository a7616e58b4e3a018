"""Tasks to learn: texts, digits, and made-up sequences whose best loss is known."""

from typing import TYPE_CHECKING

from rnn_helpers.lazy import lazily

if TYPE_CHECKING:
    from rnn_helpers.tasks.batching import length_sorted_batches, pad, padding_share
    from rnn_helpers.tasks.both_sides import BothSides
    from rnn_helpers.tasks.captions import TwoDigits
    from rnn_helpers.tasks.copying import CopyBits
    from rnn_helpers.tasks.corpora import Corpus, bigram_bits, characters, minibatches, unigram_bits
    from rnn_helpers.tasks.counting import CountSinceReset
    from rnn_helpers.tasks.digits import handwritten_digits
    from rnn_helpers.tasks.ends import Ends
    from rnn_helpers.tasks.expressions import (
        expression_batches,
        expression_symbols,
        expression_value,
        lay_out,
        nesting,
        parse_expression,
        part_values,
        random_expression,
    )
    from rnn_helpers.tasks.facts import Facts
    from rnn_helpers.tasks.joined import Joined, joined, reached
    from rnn_helpers.tasks.language import bits_per_character, character_model, number_model, sample
    from rnn_helpers.tasks.lexicon import Lexicon
    from rnn_helpers.tasks.long_term import Adding, Latch, SameOpposite, TemporalOrder, accuracy
    from rnn_helpers.tasks.ngrams import NGram, compressed_bits
    from rnn_helpers.tasks.own_outputs import Oscillator, with_coins
    from rnn_helpers.tasks.parity import NoisyParity
    from rnn_helpers.tasks.recall import Pairs
    from rnn_helpers.tasks.sentences import PAD, START, Vocabulary, sentences
    from rnn_helpers.tasks.series import (
        forecast,
        from_csv,
        mackey_glass,
        narma10,
        normalised_error,
        two_scales,
    )
    from rnn_helpers.tasks.text_features import FEATURES, text_features, unit_correlations
    from rnn_helpers.tasks.translation import Dates, Reversal

__getattr__, __dir__, __all__ = lazily(__name__)
