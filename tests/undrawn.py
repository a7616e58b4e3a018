"""Pictures are not drawn among the units: a test that draws them is marked slow."""

from base64 import b64decode

import pytest

from rnn_helpers.plots import Plot

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    "AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture(autouse=True)
def undrawn(request, monkeypatch):
    """Refuse to draw, unless the test is slow."""

    def refuse(plot, *looks):
        pytest.fail(
            "a test that draws is marked slow; one that only places pictures takes `pixels`"
        )

    if not request.node.get_closest_marker("slow") and "pixels" not in request.fixturenames:
        monkeypatch.setattr(Plot, "_pngs", refuse)


@pytest.fixture(scope="module")
def pixels():
    """Every picture is one pixel, given in base 64: for tests of what is set around pictures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plot, "_pngs", lambda plot, *looks: [b64decode(PIXEL) for _ in looks])
        yield PIXEL
