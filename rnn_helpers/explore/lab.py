"""``lab``: sliders that drive Python; a page, without Python, shows the picture at the defaults."""

import inspect
import threading
import time
import traceback
from html import escape

import ipywidgets as widgets

from rnn_helpers.plots import Plot

MIME = "application/vnd.unfolded.lab+json"
_PLOT = "application/vnd.unfolded.plot+json"


def lab(fn, button=None, **controls):
    """Connect controls to a function.

    Parameters
    ----------
    fn : callable
        Takes the controls by name and returns a `Plot`, within a second. With ``button``, a
        generator function that yields a `Plot` now and then: it runs in the background, can be
        stopped between two plots, and may take longer. At its defaults it should end within a few
        seconds, because pages show its last plot.
    button : str, optional
        Words on the button that runs the generator, such as ``"train"``.
    **controls
        The abbreviations of ipywidgets: ``(low, high)`` or ``(low, high, step)``, a list of
        choices, a string, a bool, or any widget with a value.

    Returns
    -------
    Lab
        Live in JupyterLab.

    Raises
    ------
    ValueError
        If a control has a value that makes no widget, or there is none.
    TypeError
        If ``fn`` does not take these controls, or is a generator function without ``button``, or
        none with it.

    Examples
    --------
    >>> from rnn_helpers import circuits, plots
    >>> lab(lambda T: plots.unfolded_graph(circuits.FIGURES["10.3"], T), T=(1, 8)).defaults
    {'T': 4}
    """
    return Lab(fn, button, controls)


class Lab:
    """The result of `lab`.

    Attributes
    ----------
    fn : callable
    button : str or None
    controls : dict of str to ipywidgets widget
    defaults : dict
        The values the controls start from.
    """

    def __init__(self, fn, button, controls):
        if not callable(fn):
            raise TypeError(f"fn is {fn!r}; expected a function that returns a Plot")
        if inspect.isgeneratorfunction(fn) != (button is not None):
            raise TypeError(
                f"fn is {fn!r} and button is {button!r}; a button runs a generator function, "
                "and a generator function needs a button"
            )
        if not controls:
            raise ValueError("controls is empty; a lab needs at least one")
        try:
            inspect.signature(fn).bind(**controls)
        except TypeError as error:
            raise TypeError(
                f"fn does not take the controls {', '.join(controls)}: {error}"
            ) from None
        self.fn = fn
        self.button = button
        self.controls = {name: _widget(name, value) for name, value in controls.items()}
        self.defaults = {name: control.value for name, control in self.controls.items()}
        self._at_defaults = None

    def extremes(self):
        """Yield settings with one control at an end of its range and the others at their defaults.

        Yields
        ------
        dict
        """
        for name, control in self.controls.items():
            if hasattr(control, "options"):
                ends = control.options
                ends = [end[1] if isinstance(end, tuple) else end for end in ends]
            elif isinstance(control, widgets.FloatLogSlider):
                ends = [control.base**control.min, control.base**control.max]
            elif hasattr(control, "min"):
                ends = [control.min, control.max]
            elif isinstance(control.value, bool):
                ends = [False, True]
            else:
                continue
            for end in ends:
                yield self.defaults | {name: end}

    def at(self, **values):
        """Return the plot for a setting; of a generator, the last one.

        Parameters
        ----------
        **values
            Those of the controls that differ from the defaults.

        Returns
        -------
        Plot

        Raises
        ------
        ValueError
            If there is no such control, or the generator yields nothing.
        """
        unknown = set(values) - set(self.controls)
        if unknown:
            raise ValueError(
                f"{', '.join(sorted(unknown))} is no control; they are {', '.join(self.controls)}"
            )
        result = self.fn(**(self.defaults | values))
        if self.button is None:
            return _require_plot(result)
        plot = None
        for plot in result:  # noqa: B007
            pass
        return _require_plot(plot)

    def _repr_mimebundle_(self, include=None, exclude=None):
        if self._at_defaults is None:
            self._at_defaults = self.at()
        plot = self._at_defaults
        bundle = plot._repr_mimebundle_()
        picture = bundle.pop(_PLOT)
        controls = {name: str(value) for name, value in self.defaults.items()}
        live = _Panel(self, bundle["text/html"]).box
        return {
            **(live._repr_mimebundle_() or {}),
            MIME: {**picture, "controls": controls},
            "image/png": bundle["image/png"],
            "text/plain": plot.alt,
        }

    def __repr__(self):
        return f"<lab of {getattr(self.fn, '__name__', self.fn)}: {', '.join(self.controls)}>"


class _Panel:
    """The live widgets of one display of a lab."""

    def __init__(self, owner, picture):
        self.owner = owner
        self.picture = widgets.HTML(value=picture)
        self.status = widgets.HTML()
        self.status.layout.min_height = "1.8em"
        row = widgets.Layout(flex_flow="row wrap", align_items="center")
        controls = widgets.HBox(list(owner.controls.values()), layout=row)
        parts = [controls, self.status, self.picture]
        self.thread, self.stop = None, threading.Event()
        if owner.button is None:
            for control in owner.controls.values():
                control.observe(self._answer, names="value")
        else:
            # By default, all buttons have one width, which cuts long labels off.
            wide = widgets.Layout(width="max-content", min_width="12em")
            self.run = widgets.Button(description=owner.button, button_style="primary", layout=wide)
            self.run.on_click(self._run_or_stop)
            parts.insert(1, self.run)
        self.box = widgets.VBox(parts)

    def _values(self):
        return {name: control.value for name, control in self.owner.controls.items()}

    def _answer(self, change=None):
        self.status.value = "working …"
        try:
            self.picture.value = _require_plot(self.owner.fn(**self._values())).html()
            self.status.value = ""
        except Exception as error:
            self.status.value = _readable(error)

    def _run_or_stop(self, button):
        if self.thread is not None and self.thread.is_alive():
            self.stop.set()
            return
        self.stop.clear()
        self.run.description, self.run.button_style = "stop", "warning"
        self.thread = threading.Thread(target=self._work, args=(self._values(),), daemon=True)
        self.thread.start()

    def _work(self, values):
        start = time.perf_counter()
        count = 0
        ending = "done"
        steps = self.owner.fn(**values)
        try:
            for plot in steps:
                self.picture.value = _require_plot(plot).html()
                count += 1
                self.status.value = f"running: picture {count}, {time.perf_counter() - start:.0f} s"
                if self.stop.is_set():
                    ending = "stopped"
                    break
            self.status.value = f"{ending} after {time.perf_counter() - start:.1f} s"
        except Exception as error:
            self.status.value = _readable(error)
        finally:
            steps.close()
            self.run.description, self.run.button_style = self.owner.button, "primary"


def _widget(name, value):
    control = value
    if not (isinstance(value, widgets.Widget) and hasattr(value, "value")):
        try:
            control = widgets.interactive.widget_from_abbrev(value)
        except Exception as error:  # the error depends on the kind of abbreviation
            raise ValueError(f"{name} is {value!r}, which makes no widget: {error}") from None
    if control is None or not getattr(control, "options", True):
        raise ValueError(
            f"{name} is {value!r}; expected (low, high), (low, high, step), a list, a string, "
            "a bool or a widget"
        )
    if hasattr(control, "continuous_update"):
        control.continuous_update = False
    control.description = control.description or name
    return control


def _require_plot(result):
    if not isinstance(result, Plot):
        raise TypeError(f"fn gave {result!r}; expected a Plot")
    return result


def _readable(error):
    words = escape(str(error) or type(error).__name__)
    if isinstance(error, ValueError):  # the reader's input: the message is enough
        return f'<p role="alert" style="margin:0;color:var(--jp-error-color1,#b00020)">{words}</p>'
    details = escape("".join(traceback.format_exception(error)))
    return (
        f'<details role="alert"><summary>{type(error).__name__}: {words}</summary>'
        f"<pre>{details}</pre></details>"
    )
