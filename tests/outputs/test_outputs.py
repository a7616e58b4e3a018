"""The build of the site ran every notebook: each checked cell said what is kept beside it."""

from collections import defaultdict

import pytest
from books import NOTEBOOKS, ROOT, code

from rnn_helpers.site import CHECKED
from rnn_helpers.site.build import behind_outputs, stamp
from rnn_helpers.site.slides import executed

CELLS = [
    pytest.param(path, cell.id, id=f"{path.stem}-{cell.id}")
    for path in NOTEBOOKS
    for cell in code(path)
    if cell.source.startswith(CHECKED)
]


@pytest.fixture(scope="module")
def ran(request):
    """The cells of a chapter with what they gave, by their ids; made by the code that is here."""
    made_by = ROOT / "_build" / ".stamp-outputs"
    assert made_by.is_file(), "run `make book` first"
    assert made_by.read_text() == stamp(ROOT, behind_outputs(ROOT)), "run `make book` again"
    return {cell.id: cell for cell in executed(request.param).cells}


def said(cell):
    """What a cell said, by kinds: what it printed, and each form of what it showed but pictures."""
    found = defaultdict(list)
    for output in cell.outputs:
        if output.output_type == "stream":
            found[output.name] = ["".join(found[output.name]) + output.text]
        elif output.output_type == "error":
            found["error"].append(output.evalue)
        for kind, shown in output.get("data", {}).items():
            if not kind.startswith("image/"):
                found[kind].append(shown)
    return dict(found)


@pytest.mark.parametrize(("ran", "cell"), CELLS, indirect=["ran"], scope="module")
def test_a_checked_cell_says_what_is_kept(ran, cell, request):
    path = request.node.callspec.params["ran"]
    kept = said(next(one for one in code(path) if one.id == cell))
    assert kept, "nothing is kept beside it: run it, and save the notebook"
    assert said(ran[cell]) == kept
