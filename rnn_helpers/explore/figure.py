"""``show``: an interactive figure as the value of a notebook cell."""

from functools import cached_property

from rnn_helpers.explore import figures, html
from rnn_helpers.explore.states import complete, require_figure, validate

MIME = "application/vnd.unfolded.figure+json"
_PLOT = "application/vnd.unfolded.plot+json"


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
        A living figure in JupyterLab and on pages; a picture wherever no script runs.


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
    """What `show` returns.

    Attributes
    ----------
    name : str
    state : dict
        The values that were given, as JSON holds them.
    """

    def __init__(self, name, state):
        self.name = name
        self.state = state

    @cached_property
    def _poster(self):
        return self._made("poster")

    def _made(self, what):
        """What the figure's module makes of the state, such as its poster; None without."""
        make = getattr(figures.module(self.name), what, None)
        return make and make(complete(self.name, self.state))

    @property
    def alt(self):
        """What the figure shows, in words."""
        return self._poster.alt if self._poster else require_figure(self.name)["alt"]

    @property
    def payload(self):
        """Everything a page needs to place the figure, as `markup` takes it.

        Returns
        -------
        dict
            ``module``, ``state``, ``alt``, ``caption``, ``question``, and either ``poster`` (base64
            PNG ``light`` and ``dark``, ``width`` and ``height`` in CSS pixels) or ``fallback``
            (HTML).
        """
        return self._payload(self._poster and self._poster.payload)

    def _payload(self, picture):
        meta = require_figure(self.name)
        payload = {
            "module": self.name,
            "state": self.state | (self._made("derived") or {}),
            "alt": self.alt,
            "caption": meta["story"],
            "question": meta["question"],
            "poster": None,
        } | (self._made("words") or {})
        if picture:
            payload["poster"] = {k: picture[k] for k in ("light", "dark", "width", "height")}
        fallback = self._made("fallback")
        if fallback:
            payload |= {"fallback": fallback, "caption": ""}
            payload["question"] = ""  # the fallback asks its own
        return payload

    def _repr_mimebundle_(self, include=None, exclude=None):
        pictures = self._poster._repr_mimebundle_() if self._poster else {}
        payload = self._payload(pictures.get(_PLOT))
        bundle = {MIME: payload, "text/plain": self.alt}
        if pictures:
            bundle["image/png"] = pictures["image/png"]
        bundle["text/html"] = html.self_contained(payload, bundle.get("image/png"))
        return bundle

    def __repr__(self):
        state = "".join(f", {key}={value!r}" for key, value in self.state.items())
        return f"show({self.name!r}{state})"
