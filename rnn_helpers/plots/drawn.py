"""A plot that was drawn before and stored."""

from base64 import b64decode
from io import BytesIO

from PIL import Image

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot


class Drawn(Plot):
    """A plot of which only the pictures are left.

    Parameters
    ----------
    payload : dict
        The `Plot.payload` of the plot.
    """

    def __init__(self, payload: dict):
        self.alt = payload["alt"]
        self._stored = payload

    size = property(lambda self: (self._stored["width"], self._stored["height"]))
    smallest = property(lambda self: self._stored["smallest"])
    panels = property(lambda self: self._stored["panels"])

    def _pngs(self, *looks):
        return [self._png(*look) for look in looks]

    def _png(self, theme, opaque):
        stored = b64decode(self._stored[theme])
        if not opaque:
            return stored
        drawn, file = Image.open(BytesIO(stored)).convert("RGBA"), BytesIO()
        paper = Image.new("RGBA", drawn.size, colour("paper", theme))
        Image.alpha_composite(paper, drawn).convert("RGB").save(file, format="png")
        return file.getvalue()
