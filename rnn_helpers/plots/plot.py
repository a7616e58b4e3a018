"""The class of every plot: a figure, its alternative text, and a picture for each theme."""

import html
import io
import sys
from base64 import b64encode
from contextlib import contextmanager, nullcontext

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb, to_rgba_array
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from PIL import Image

from rnn_helpers.palette import COLOURS, DARK, RAMPS, THEMES, colour
from rnn_helpers.validate import as_count, as_positive

MIME = "application/vnd.unfolded.plot+json"

# A figure is measured in inches of 100 CSS pixels, and its words are as large as the page's; at
# 5.4 inches they are still 9 px high on a phone, and above 24 px on a 1280 x 720 slide.
PIXELS_PER_INCH = 100
WIDTH = 5.4
_RETINA = 2

# How a picture looks: its theme, and whether the theme's paper lies beneath it.
_LIGHT, _DARK, _WHITE = ("light", False), ("dark", False), ("light", True)

# Written as matplotlib wants them: the names and markers of the palette's shapes.
MARKERS = {
    "square": "s",
    "circle": "o",
    "triangle": "^",
    "diamond": "D",
    "cross": "X",
    "nabla": "v",
    "pentagon": "p",
    "hexagon": "h",
    "dot": ".",
}

# An odd number of shades, so that one of them is exactly the middle of a ramp.
COLOUR_MAPS = {
    (name, theme): LinearSegmentedColormap.from_list(f"unfolded.{name}.{theme}", ramp[theme], 257)
    for name, ramp in RAMPS.items()
    for theme in THEMES
}

_TO_DARK = {c.light: to_rgb(c.dark) for c in COLOURS.values()}
# Figures that readers draw without the house style have black words.
_TO_DARK["#000000"] = to_rgb(colour("ink", "dark"))
_MAP_TO_DARK = {COLOUR_MAPS[name, "light"].name: COLOUR_MAPS[name, "dark"] for name in RAMPS}

# Shows the second of two pictures in the dark themes of notebooks, except on paper.
_IN_DARK = f":is({','.join(DARK)})"
_EXCHANGE = (
    f"@media not print{{{_IN_DARK} .unfolded-plot>img{{display:none}}"
    f"{_IN_DARK} .unfolded-plot>img[hidden]{{display:inline}}}}"
)

_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "mathtext.fontset": "cm",
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.titlepad": 8,
    "axes.labelsize": 11,
    "axes.labelpad": 5,
    "axes.facecolor": "none",
    "axes.edgecolor": colour("edge"),
    "axes.labelcolor": colour("ink"),
    "axes.titlecolor": colour("ink"),
    "axes.linewidth": 0.9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.prop_cycle": matplotlib.cycler(color=[colour("ink"), colour("accent"), colour("muted")]),
    "grid.color": colour("grid"),
    "grid.linewidth": 0.8,
    "xtick.color": colour("edge"),
    "ytick.color": colour("edge"),
    "xtick.labelcolor": colour("ink"),
    "ytick.labelcolor": colour("ink"),
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "xtick.major.size": 3,
    "ytick.major.size": 0,
    "ytick.minor.size": 0,
    "lines.linewidth": 1.8,
    "lines.markersize": 5.5,
    "text.color": colour("ink"),
    "legend.frameon": False,
    "legend.fontsize": 10,
    "legend.handlelength": 2.6,
    "figure.facecolor": colour("paper"),
    "figure.constrained_layout.h_pad": 0.06,
    "figure.constrained_layout.w_pad": 0.06,
    "image.interpolation": "nearest",
    "hatch.linewidth": 0.6,
}


@contextmanager
def style():
    """Context in which matplotlib draws in the house style, in the palette's light colors.

    The reader's own settings don't count there: without LaTeX, ``text.usetex`` would end in an
    error.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def subplots(nrows=1, ncols=1, *, width=WIDTH, height=3.2, **kwargs):
    """Make a figure and axes as ``pyplot.subplots`` does, but one that pyplot does not hold on to.

    Parameters
    ----------
    nrows, ncols : int
    width, height : float
        In inches of 100 CSS pixels.
    **kwargs
        For `matplotlib.figure.Figure.subplots`.

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : Axes or array of Axes
    """
    nrows, ncols = as_count("nrows", nrows), as_count("ncols", ncols)
    width, height = as_positive("width", width), as_positive("height", height)
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(nrows, ncols, **kwargs)


def unframed(axes, **properties):
    """Set properties of a drawing, which has no frame, no grid and no marks at its ticks."""
    axes.set(**properties)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)


class Plot:
    """A matplotlib figure with a light and a dark version, and an alternative text.

    Draw the figure once, inside `style()`, with the palette's light colors and `COLOUR_MAPS`; for
    dark pages each color is replaced by its dark value.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    alt : str
        Alternative text: a sentence or two for readers who can't see the figure.
    """

    def __init__(self, figure, alt):
        if not isinstance(figure, Figure):
            raise TypeError(f"figure is {figure!r}; expected a matplotlib Figure")
        if not isinstance(alt, str) or not alt.strip():
            raise ValueError(f"alt is {alt!r}; expected words that say what the figure shows")
        self.figure = figure
        self.alt = alt.strip()
        if pyplot := sys.modules.get("matplotlib.pyplot"):
            pyplot.close(figure)  # else a notebook shows a pyplot figure a second time

    @property
    def size(self):
        """Width and height in CSS pixels."""
        return tuple(round(float(side) * PIXELS_PER_INCH) for side in self.figure.get_size_inches())

    @property
    def smallest(self):
        """Size of the smallest words in CSS pixels (0 without any), which a slide must enlarge."""
        words = (text for text in self.figure.findobj(Text) if text.get_visible())
        sizes = [text.get_fontsize() for text in words if text.get_text().strip()]
        return round(min(sizes, default=0) * PIXELS_PER_INCH / 72, 1)

    @property
    def panels(self):
        """Number of plots side by side; several cannot shrink to a phone's width."""
        places = (axes.get_subplotspec() for axes in self.figure.axes)
        return max((place.get_gridspec().ncols for place in places if place), default=1)

    def png(self, theme="light", opaque=False):
        """Render to PNG, at two pixels per CSS pixel and of 256 colors.

        Plots consist of lines, letters and one or two ramps: more colors would make the file three
        times as large and look the same.

        Parameters
        ----------
        theme : {"light", "dark"}
        opaque : bool
            Whether to lay the theme's paper beneath.

        Returns
        -------
        bytes
            The same for the same figure: no date or version is written.
        """
        return self._pngs((theme, opaque))[0]

    def _pngs(self, *looks):
        """PNG for each pair of a theme and whether it is opaque: one layout serves them all."""
        papers = {theme: colour("paper", theme) for theme, _ in looks}
        with style(), _laid_out(self.figure) as canvas:
            drawn = {theme: _of_few_colours(_drawn(canvas, theme)) for theme in papers}
        return [_png(*drawn[theme], opaque and papers[theme]) for theme, opaque in looks]

    def html(self):
        """Return the picture for notebooks: dark where JupyterLab or VS Code is.

        Returns
        -------
        str
            HTML. JupyterLab strips the style from a notebook that it does not trust, which leaves
            the light picture on white.
        """
        return self._html(*map(_base64, self._pngs(_WHITE, _DARK)))

    def _html(self, light, dark):
        width, height = self.size
        images = "".join(
            f'<img alt="{html.escape(self.alt, quote=True)}"{hidden} '
            f'width="{width}" height="{height}" '
            f'style="max-width:100%;height:auto" src="data:image/png;base64,{data}">'
            for hidden, data in (("", light), (" hidden", dark))
        )
        return f'<div class="unfolded-plot">{images}</div><style>{_EXCHANGE}</style>'

    @property
    def payload(self):
        """Everything a page needs to place the picture.

        Returns
        -------
        dict
            ``alt``, ``light`` and ``dark`` (base64 PNG), ``width`` and ``height`` in CSS pixels,
            `smallest` and `panels`.
        """
        return self._payload(*map(_base64, self._pngs(_LIGHT, _DARK)))

    def _payload(self, light, dark):
        width, height = self.size
        return {
            "alt": self.alt,
            "light": light,
            "dark": dark,
            "width": width,
            "height": height,
            "smallest": self.smallest,
            "panels": self.panels,
        }

    def _repr_mimebundle_(self, include=None, exclude=None):
        plain, light, dark = map(_base64, self._pngs(_WHITE, _LIGHT, _DARK))
        return {
            MIME: self._payload(light, dark),
            "text/html": self._html(plain, dark),
            "image/png": plain,
            "text/plain": self.alt,
        }

    def __repr__(self):
        return f"Plot({self.alt!r})"


@contextmanager
def _laid_out(figure):
    """Lay a figure out for the pictures' resolution, and keep it so within the context.

    ``savefig`` would do this for each picture again, each time slightly differently.
    """
    canvas, dpi, engine = figure.canvas, figure.dpi, figure.get_layout_engine()
    try:
        in_memory = FigureCanvasAgg(figure)
        figure.dpi = _RETINA * PIXELS_PER_INCH
        if engine is not None:
            for _ in range(2):  # the first pass makes the ticks, the second places their labels
                engine.execute(figure)
        figure.set_layout_engine("none")
        yield in_memory
    finally:
        figure.set_layout_engine(engine or "none")
        figure.dpi = dpi
        figure.set_canvas(canvas)


def _drawn(canvas, theme):
    """RGBA of the canvas's figure without a background, shape (height, width, 4)."""
    with _dark(canvas.figure) if theme == "dark" else nullcontext(), _on_nothing(canvas.figure):
        canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def _of_few_colours(pixels):
    """A picture in its 256 most frequent colors, or the nearest of them.

    Returns
    -------
    places : ndarray of uint8, shape (height, width)
        Of each pixel's color among the colors.
    colours : ndarray of int, shape (at most 256, 4)
        RGBA.
    """
    packed = pixels.view(np.uint32).ravel()
    paper, drawn = packed[0], np.flatnonzero(packed != packed[0])  # most of a picture is paper
    colours, place, count = np.unique(
        np.append(paper, packed[drawn]), return_inverse=True, return_counts=True
    )
    count[place[0]] = len(packed)
    rgba = colours.view(np.uint8).reshape(-1, 4).astype(int)
    alpha = rgba[:, 3:]
    seen = np.hstack([rgba[:, :3] * alpha // 255, alpha])  # transparent pixels have no color
    seen = seen.astype(np.float32)  # where sums of squares below 2^24 are exact
    kept = np.sort(np.argsort(-count, kind="stable")[:256])
    distance = (seen[kept] ** 2).sum(axis=1) / 2 - seen @ seen[kept].T  # up to a constant per row
    nearest = distance.argmin(axis=1).astype(np.uint8)[place]
    places = np.full(len(packed), nearest[0])
    places[drawn] = nearest[1:]
    return places.reshape(pixels.shape[:2]), rgba[kept]


def _png(places, colours, paper):
    """Encode a picture of few colors, laid on a paper if there is one."""
    if paper:
        alpha = colours[:, 3:] / 255
        beneath = 255 * np.array(to_rgb(paper))
        solid = np.rint(alpha * colours[:, :3] + (1 - alpha) * beneath)
        colours = np.column_stack([solid, np.full(len(solid), 255)])
    colours = colours.astype(np.uint8)
    picture = Image.fromarray(places)
    picture.putpalette(colours[:, :3].tobytes())
    file = io.BytesIO()
    picture.save(file, format="png", transparency=colours[:, 3].tobytes())
    return file.getvalue()


def _base64(data):
    return b64encode(data).decode("ascii")


@contextmanager
def _on_nothing(figure):
    """Take the paper from beneath a figure within the context."""
    before = figure.get_facecolor()
    figure.set_facecolor("none")
    try:
        yield
    finally:
        figure.set_facecolor(before)


@contextmanager
def _dark(figure):
    """Replace the palette's light colors by the dark ones within the context."""
    undo = []
    try:
        for artist in _artists(figure):
            for name in _PROPERTIES:
                get, set_ = (getattr(artist, f"{verb}_{name}", None) for verb in ("get", "set"))
                if get is None or set_ is None:
                    continue
                old = get()
                new = _darken(old)
                if new is not None:
                    set_(new)
                    undo.append((set_, old))
        yield
    finally:
        for set_, old in reversed(undo):
            set_(old)


_PROPERTIES = (
    "color",
    "facecolor",
    "edgecolor",
    "markerfacecolor",
    "markeredgecolor",
    "gapcolor",
    "cmap",
)


def _artists(figure):
    for artist in figure.findobj():
        yield artist
        # Two that matplotlib does not count among an artist's children.
        if isinstance(artist, Text) and artist.get_bbox_patch() is not None:
            yield artist.get_bbox_patch()
        if isinstance(artist, Annotation) and artist.arrow_patch is not None:
            yield artist.arrow_patch


def _darken(value):
    """Dark counterpart of a color, an array of colors or a color map; None if it doesn't change."""
    if isinstance(value, matplotlib.colors.Colormap):
        return _MAP_TO_DARK.get(value.name)
    if value is None or (isinstance(value, str) and value in ("none", "auto", "face")):
        return None
    colours = to_rgba_array(value)
    if not colours[:, 3].any():
        return None  # to set a color again would give it the artist's own transparency
    dark = [_TO_DARK.get(to_hex(c), c[:3]) for c in colours]
    if not len(dark) or np.array_equal(dark, colours[:, :3]):
        return None
    dark = np.column_stack([dark, colours[:, 3]])
    return dark if np.ndim(value) == 2 else tuple(dark[0])
