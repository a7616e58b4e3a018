import pytest
from networks import P
from refusals import (
    NAN,
)

from rnn_helpers.reference import from_chiang, init_rnn, to_chiang
from rnn_helpers.reference.notation import BLOCKS, CHIANG, COLLISIONS, NOTATION, PYTORCH

BOOK = {"U", "W", "V", "b", "c"}


@pytest.mark.chapter("03")
def test_chiangs_names_and_the_books_go_back_and_forth():
    params = init_rnn(3, 4, 5)
    chiang = to_chiang(params)
    for his, ours in {"B": "U", "A": "W", "D": "V", "c": "b", "e": "c"}.items():
        assert chiang[his] is params[ours]
    assert from_chiang(chiang) == params


def test_other_names_are_rejected():
    with pytest.raises(ValueError, match=r"params has \['U', .*expected \['A', 'B', 'D', 'c', 'e'"):
        from_chiang(init_rnn(3, 4, 5))
    with pytest.raises(ValueError, match="params has"):
        to_chiang({"U": 0})


def test_every_parameter_has_a_name_in_every_source():
    assert set(CHIANG.values()) == set(PYTORCH.values()) == BOOK
    rows = {row.book: row for row in NOTATION}
    for names in (CHIANG, PYTORCH):
        for theirs, ours in names.items():
            row = rows[f"${ours}$"]
            assert theirs in row.chiang + row.pytorch


def test_the_tables_have_no_duplicates_and_name_every_concept():
    concepts = [row.concept for row in NOTATION]
    assert len(set(concepts)) == len(concepts)
    assert all(row.book for row in NOTATION)
    symbols = [collision.symbol for collision in COLLISIONS]
    assert len(set(symbols)) == len(symbols)


@pytest.mark.chapter("16")
@pytest.mark.parametrize("cell", BLOCKS)
def test_the_parts_of_a_gated_unit_have_the_names_of_the_table(cell):
    rows = {row.pytorch: row for row in NOTATION if row.concept.startswith(cell)}
    for block in BLOCKS[cell]:
        name = rows[block.pytorch].book
        assert name == "unnamed" or f"{name.split('$')[1]}^{{(t)}}" in block.book
    parts = "".join(block.part for block in BLOCKS[cell])
    assert sorted(parts) == sorted({"LSTM": "fgo", "GRU": "ur"}[cell])


REFUSALS = {
    from_chiang: (
        {"params": to_chiang(P)},
        {"params": [None, {}, 3, "ABcDe", P, dict.fromkeys("ABcDe", "a")]},
    ),
    to_chiang: (
        {"params": P},
        {
            "params": [
                *(None, {}, 3, "UWVbc", to_chiang(P), dict.fromkeys("UWVbc", "a")),
                {**P, "W": NAN * P["W"]},
            ]
        },
    ),
}
