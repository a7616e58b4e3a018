"""The places of a figure in the book are found from its code."""

import nbformat

from press.places import places


def test_a_claim_that_is_shown_is_no_figure_of_the_same_name(tmp_path):
    make = nbformat.v4.new_code_cell
    cells = [make('experiments.show("sharing")', id="claim"), make('show("gates")', id="figure")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "01_one.ipynb")
    found = places({"01_one": tmp_path / "01_one.ipynb"})
    assert {name: [place.cell for place in each] for name, each in found.items()} == {
        "gates": ["figure"]
    }
