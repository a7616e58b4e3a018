"""An experiment on a page, from one call: finding, figure, the source's claim, and a link."""

import html

from rnn_helpers.experiments.store import Result, load
from rnn_helpers.validate import as_choice

MIME = "application/vnd.unfolded.claim+json"
_PLOT = "application/vnd.unfolded.plot+json"


def show(slug, which=None, *, ask=None, x=(), question="", why=""):
    """Show what an experiment found, and what that means for the source's claim.

    Parameters
    ----------
    slug : str
        Name of the experiment.
    which : str, optional
        Which of its figures; the first, if there are any, if left out.
    ask : str or sequence of str, optional
        Names of rows, or the name of a line, that the reader guesses before the result is shown.
    x : sequence of float, optional
        Where to guess a line; by default, at all its points.
    question : str, optional
        The question to the reader; by default, the question of the figure.
    why : str, optional
        The reason for the result, which the reader sees with it.

    Returns
    -------
    Shown
        Our finding, the figure, the claim with its verdict, and on pages a link to the claim's own
        page, which has everything else.

    Raises
    ------
    ValueError
        If there is no such experiment, result, figure, row or line.

    Notes
    -----
    If the reader guesses, a page hides the finding, the verdict and the paragraphs that follow the
    cell until the result is shown.
    """
    return Shown(load(slug), which, ask=ask, x=x, question=question, why=why)


class Shown:
    """What `show` returns.

    Attributes
    ----------
    result : Result
    data : Data or None
        The estimates that are shown.
    plot : rnn_helpers.plots.Plot or None
        What is shown if `Data` can't hold it.
    ask : dict or None
        What the reader guesses; see `Data.asking`.
    """

    def __init__(self, result: Result, which: str | None = None, *, ask=None, **asked):
        self.result = result
        names = result.experiment.shown
        if which is not None and not names:
            raise ValueError(f"{result.slug} has no picture; its rows are in `table()`")
        name = next(iter(names), None) if which is None else as_choice("which", which, names)
        self.data = result.data(name) if name in result.experiment.data else None
        self.plot = result.plot(name) if name in result.experiment.pictures else None
        if ask and not self.data:
            raise ValueError(f"ask is {ask!r}; expected None, as {result.slug} shows a plot")
        self.ask = self.data.asking(ask, **asked) if ask else None

    @property
    def payload(self) -> dict:
        """Everything that a page needs except the figure.

        Returns
        -------
        dict of str to str
            ``slug``, ``finding``, ``claim``, ``source``, ``verdict`` and its ``kind``.
        """
        said = self.result.summary
        return {
            "slug": self.result.slug,
            "finding": said.finding,
            "claim": self.result.claim,
            "source": self.result.experiment.source,
            "verdict": said.verdict,
            "kind": said.kind,
        }

    @property
    def figure(self) -> dict | None:
        """The figure of the data, as `rnn_helpers.explore.markup` takes it."""
        return self.data and figure(self.data, self.ask)

    def _html(self) -> str:
        from rnn_helpers.explore.html import self_contained

        words = {key: html.escape(value) for key, value in self.payload.items()}
        more = f'<code>experiments.load("{words["slug"]}")</code>'
        finding = f"<p><strong>{words['finding']}</strong></p>"
        claim = (
            f"<p><small>{words['source']}: {words['claim']} <em>{words['verdict']}</em> "
            f"More: {more}</small></p>"
        )
        if self.ask:  # the figure first, because these words would tell the result
            folded = f"<details><summary>What we found</summary>{finding}{claim}</details>"
            return self_contained(self.figure) + folded
        plot = self.plot._repr_mimebundle_()["text/html"] if self.plot else ""
        return finding + (self_contained(self.figure) if self.data else plot) + claim

    def _repr_mimebundle_(self, include=None, exclude=None):
        plot = self.plot._repr_mimebundle_()[_PLOT] if self.plot else None
        return {
            MIME: self.payload | {"figure": self.figure, "plot": plot},
            "text/html": self._html(),
            "text/plain": repr(self),
        }

    def __repr__(self):
        said = "{finding}\n{source}: {claim}\n{verdict}".format(**self.payload)
        if self.ask:
            return self.ask["question"]
        return "\n".join([said, *self._described])

    @property
    def _described(self):
        if self.data:
            return [self.data.description]
        return [self.plot.alt] if self.plot else []


def figure(data, ask=None) -> dict:
    """Return the figure of some data, as `rnn_helpers.explore.markup` takes it."""
    from rnn_helpers import explore
    from rnn_helpers.explore.figures.result import tables

    made = explore.show("result", **data.state, ask=ask).payload | {"alt": data.description}
    return made if ask else made | {"question": data.question, "fallback": tables(data)}
