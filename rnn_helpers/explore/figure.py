"""``show``: an interactive figure as the value of a notebook cell."""

from rnn_helpers import figures
from rnn_helpers.explore import html
from rnn_helpers.explore.states import complete, is_default, require_figure, validate

MIME = "application/vnd.unfolded.figure+json"


def show(name, **state):
    """Show an interactive figure.

    Parameters
    ----------
    name : str
        Name of a figure: ``"unfold"``, ``"predict"``, …
    **state
        Values of its controls; the others keep their defaults. ``manifest()[name]["controls"]``
        lists them with their ranges.

    Returns
    -------
    Figure
        A living figure in JupyterLab and on pages. Where no script runs, a page shows the figure at
        rest, and a notebook shows a picture of its default state.

    Examples
    --------
    >>> show("unfold", T=6, pattern="10.4").state
    {'T': 6, 'pattern': '10.4'}
    """
    state = validate(name, state)
    module = figures.module(name)
    if hasattr(module, "check"):
        module.check(complete(name, state), state)
    return Figure(name, state)


class Figure:
    """The result of `show`.

    Attributes
    ----------
    name : str
    state : dict
        The values that were given, as JSON holds them.
    """

    def __init__(self, name, state):
        self.name = name
        self.state = state

    def _made(self, what):
        """Return a result of the figure's module for the state, such as its fallback, or None."""
        make = getattr(figures.module(self.name), what, None)
        return make and make(complete(self.name, self.state))

    @property
    def payload(self):
        """Everything a page needs to place the figure, as `markup` takes it.

        Returns
        -------
        dict
            ``module``, ``state``, ``alt`` (of the default state), ``caption``, ``question``, and
            ``fallback`` (HTML) if the figure has words instead of a drawing.
        """
        meta = require_figure(self.name)
        words = meta | _words(meta, complete(self.name, self.state))
        payload = {
            "module": self.name,
            "state": self.state | (self._made("derived") or {}),
            "alt": meta["alt"],
            "caption": words["story"],
            "question": words["question"],
        }
        fallback = self._made("fallback")
        if fallback:
            payload |= {"fallback": fallback, "caption": ""}
            payload["question"] = ""  # the fallback asks its own
        return payload

    def _repr_mimebundle_(self, include=None, exclude=None):
        payload = self.payload
        shown = "fallback" in payload or is_default(self.name, self.state)
        return {
            MIME: payload,
            "text/plain": payload["alt"] + ("" if shown else f" {html.DEFAULT}"),
            "text/html": html.self_contained(payload),
        }

    def __repr__(self):
        state = "".join(f", {key}={value!r}" for key, value in self.state.items())
        return f"show({self.name!r}{state})"


def _words(meta, state):
    """Return the question and the story of the first of a figure's views that fits the state."""
    views = (view for view in meta.get("words", []) if view["when"].items() <= state.items())
    return next(views, {})
