import pytest

from rnn_helpers import plots
from rnn_helpers.reference import cliff_loss

pytestmark = pytest.mark.chapter("17")

STAYS = [[4.9, -1.6], [4.5, -2.0], [4.2, -2.1]]
LEAVES = [[4.9, -1.6], [4.5, -2.0], [4.9, -1.2], [4.9, 4.8]]
LIMITS = [(4.0, 5.0), (-2.5, -1.0)]


def bowl(w, b):
    return w**2 + b**2


def test_an_arrow_says_where_a_path_leaves_the_picture():
    plot = plots.clipping_cliff(cliff_loss, {"free": LEAVES, "held": STAYS}, limits=LIMITS)
    plane = plot.figure.axes[0]
    assert [text.get_text() for text in plane.texts if text.get_text()] == ["to (4.90, 4.80)"]
    (arrow,) = [text for text in plane.texts if not text.get_text()]
    assert arrow.xy == pytest.approx((4.9, -1.0))  # on the edge
    assert "free: from (4.9, -1.6) out of the picture at update 3, to (4.9, 4.8)" in plot.alt
    assert "held: from (4.9, -1.6) to (4.2, -2.1)" in plot.alt


def test_places_are_named_on_the_landscape():
    plot = plots.clipping_cliff(bowl, STAYS, places={"ravine": [4.3, -2.1, 0.0]})
    (name,) = plot.figure.axes[0].texts
    assert (name.get_text(), name.get_position()) == ("ravine", (4.3, -2.1))


def test_by_default_the_narrowest_path_is_in_the_picture():
    plane, _ = plots.clipping_cliff(bowl, {"free": LEAVES, "held": STAYS}).figure.axes
    (w0, w1), (b0, b1) = plane.get_xlim(), plane.get_ylim()
    assert all(w0 < w < w1 and b0 < b < b1 for w, b in STAYS)
    assert b1 < LEAVES[-1][1]


def test_updates_with_a_gradient_beyond_the_threshold_are_counted():
    path = [[3.0, 4.0], [0.3, 0.4], [0.0, 0.0]]  # gradients 10, 1 and 0 long
    assert "longer than 2 at 1 updates" in plots.clipping_cliff(bowl, path, 2.0).alt
    assert "longer than 0.5 at 2 updates" in plots.clipping_cliff(bowl, path, 0.5).alt
    assert "longer" not in plots.clipping_cliff(bowl, path).alt


def test_the_losses_are_those_of_the_points_and_zero_is_drawn_at_the_edge():
    _, curves = plots.clipping_cliff(bowl, [[3.0, 4.0], [0.0, 0.0]]).figure.axes
    drawn = curves.get_lines()[0].get_ydata()
    assert drawn[0] == 25
    assert 0 < drawn[1] <= 1e-6


@pytest.mark.slow
def test_both_themes_are_drawn_and_a_path_may_be_one_point():
    plot = plots.clipping_cliff(bowl, [[1.0, 1.0]])
    assert plot.png("light") != plot.png("dark")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"path": [1.0, 2.0]}, r"path has shape \(2,\); expected \(n, 2\)"),
        ({"path": {"a": [[1.0, 2.0, 3.0]]}}, r"path\['a'\] has shape \(1, 3\)"),
        ({"path": {}}, "path has 0 paths; expected from 1 to 3"),
        ({"path": dict.fromkeys("abcd", STAYS)}, "path has 4 paths"),
        ({"limits": [(1, 0), (0, 1)]}, "limits are not two pairs"),
        ({"loss": lambda w, b: 1.0}, r"loss\(w, b\) has shape \(\)"),
        ({"loss": lambda w, b: w}, r"loss\(w, b\) reaches .*; expected losses of at least 0"),
    ],
)
def test_an_error_names_the_argument_that_cannot_be_drawn(changed, message):
    good = {"loss": bowl, "path": [[-1.0, 1.0], [0.0, 0.5]]}
    with pytest.raises(ValueError, match=message):
        plots.clipping_cliff(**good | changed)
