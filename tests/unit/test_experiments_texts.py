"""Networks that learn a text and write one: what is measured, and each verdict can come out."""

import numpy as np
import pytest

from rnn_helpers.experiments import texts
from rnn_helpers.experiments.choose import separate
from rnn_helpers.experiments.texts import Learned, TextContest, three_parts
from rnn_helpers.tasks import Corpus, characters, unigram_bits

pytestmark = pytest.mark.chapter("05")

CORPUS = characters("topics")
N = len(CORPUS.alphabet)
TINY = {"n_h": 8, "T": 8, "batch_size": 4, "steps": 2}
KINDS = ("RNN", "GRU", "LSTM")


@pytest.fixture(scope="module", params=KINDS)
def learned(request):
    pytest.importorskip("torch")
    return Learned(request.param, CORPUS, 0.01, 0, TINY)


# networks that learn a text -----------------------------------------------------------------------


@pytest.mark.slow
def test_a_network_learns_how_frequent_characters_are():
    pytest.importorskip("torch")
    config = {"n_h": 16, "T": 16, "batch_size": 16, "steps": 60}
    bits = Learned("RNN", CORPUS, 0.02, 0, config).bits(CORPUS.held_out)
    assert bits < unigram_bits(CORPUS)


@pytest.mark.slow
def test_seed_kind_and_rate_make_a_difference(learned):
    for change in ({"seed": 1}, {"eta": 0.02}):
        kind = type(learned.net).__name__
        other = Learned(**{"network": kind, "corpus": CORPUS, "eta": 0.01, "seed": 0} | change,
                        config=TINY)  # fmt: skip
        assert other.bits(CORPUS.held_out[:50]) != learned.bits(CORPUS.held_out[:50])


@pytest.mark.slow
def test_a_carried_state_joins_two_pieces_into_one(learned):
    tokens = CORPUS.held_out[:20].reshape(10, 2)
    whole, _ = learned.outputs(tokens)
    first, state = learned.outputs(tokens[:6])
    second, _ = learned.outputs(tokens[6:], state)
    np.testing.assert_allclose(np.concatenate([first, second]), whole, atol=1e-6)


@pytest.mark.slow
def test_bits_are_the_mean_surprise(learned):
    tokens = CORPUS.held_out[:30]
    o = learned.outputs(tokens[:-1, None])[0][:, 0].astype(float)
    likely = np.exp(o) / np.exp(o).sum(axis=1, keepdims=True)
    expected = -np.log2(likely[np.arange(29), tokens[1:]]).mean()
    assert learned.bits(tokens) == pytest.approx(expected, rel=1e-5)


@pytest.mark.slow
def test_at_temperature_0_the_likeliest_character_is_fed_back(learned):
    prompt = CORPUS.held_out[:5, None]
    (text,) = learned.write(prompt, [0.0], 12, 0)[:, 0].T
    read = np.concatenate([prompt[:, 0], text])
    o, _ = learned.outputs(read[:, None])
    np.testing.assert_array_equal(text, o[4:-1, 0].argmax(axis=1))
    np.testing.assert_array_equal(text, learned.write(prompt, [0.0], 12, 1)[:, 0, 0])


@pytest.mark.slow
def test_prompts_are_continued_each_by_itself(learned):
    prompts = np.stack([CORPUS.held_out[:5], CORPUS.held_out[40:45]], axis=1)
    both = learned.write(prompts, [0.0, 1.0], 10, 0)
    assert both.shape == (10, 2, 2)
    for p in range(2):
        alone = learned.write(prompts[:, p : p + 1], [0.0], 10, 0)
        np.testing.assert_array_equal(both[:, 0, p], alone[:, 0, 0])


@pytest.mark.slow
def test_above_0_characters_are_drawn_from_the_tempered_softmax(learned):
    prompt = CORPUS.held_out[:3, None]
    drawn = learned.write(np.repeat(prompt, 4000, axis=1), [0.5], 1, 0).ravel()
    o = learned.outputs(prompt)[0][-1, 0].astype(float)
    likely = np.exp(o / 0.5) / np.exp(o / 0.5).sum()
    shares = np.bincount(drawn, minlength=N) / 4000
    np.testing.assert_allclose(shares, likely, atol=5 * np.sqrt(likely.max() / 4000))


# contests of networks that learn a text -----------------------------------------------------------

SHORT = Corpus("short", "abba" * 5, "ab", np.arange(18), np.arange(18, 20))  # tokens are places
CONTEST = {"networks": ["RNN", "GRU"], "etas": [0.01, 0.1, 1.0], "first": 3, "choosing": 2}


def test_a_text_has_a_part_to_learn_from_one_to_choose_on_and_one_to_report_on():
    for_choice, for_result = three_parts(SHORT)
    assert for_choice.train.tolist() == for_result.train.tolist() == [*range(16)]
    assert for_choice.held_out.tolist() == [16, 17]
    assert for_result.held_out.tolist() == [18, 19]
    with pytest.raises(ValueError, match="2 characters to learn from and 1 held out"):
        three_parts(Corpus("short", "abb", "ab", np.arange(2), np.arange(2, 3)))


def test_a_rate_is_chosen_on_one_part_of_the_text_and_the_bits_are_those_of_another(monkeypatch):
    trained = []

    class Known:
        """A network with the fewest bits at rate 0.1 on the choosing part, at 1 on the last."""

        def __init__(self, network, corpus, eta, seed, config):
            trained.append((network, corpus.train.tolist(), seed))
            self.eta = eta

        def bits(self, tokens):
            return abs(np.log10(self.eta / {16: 0.1, 18: 1.0}[tokens[0]]))

    monkeypatch.setattr(texts, "Learned", Known)
    monkeypatch.setattr(texts, "characters", lambda text: {"short": SHORT}[text])
    rows = TextContest().run(CONTEST | {"text": "short"}, [0, 1])
    assert rows == [
        {"network": network, "seed": seed, "bits": 1.0, "eta": 0.1, "at_edge": False}
        for network in ("RNN", "GRU")
        for seed in (0, 1)
    ]
    assert all(text == [*range(16)] for _, text, _ in trained)
    assert {seed for *_, seed in trained} == {0, 1, *separate(2)}


@pytest.mark.nightly(files=["rnn_helpers/experiments/texts.py"])
@pytest.mark.slow
def test_a_contest_of_networks_on_a_text_gives_a_row_for_each_of_them():
    pytest.importorskip("torch")
    rows = TextContest().run(CONTEST | TINY | {"text": "topics"}, [0, 1])
    assert [(row["network"], row["seed"]) for row in rows] == [
        (network, seed) for network in ("RNN", "GRU") for seed in (0, 1)
    ]
    assert all(0 < row["bits"] < 2 * np.log2(N) for row in rows)
