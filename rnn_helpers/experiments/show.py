"""The result of an experiment on a page: its figure, a sentence of the chapter, and a link."""

import html

from rnn_helpers.experiments.store import Result, load
from rnn_helpers.validate import as_choice

MIME = "application/vnd.unfolded.claim+json"


def show(slug, which=None, *, says="", ask=None, x=(), question="", why="", hidden=()):
    """Show the result of an experiment, with a sentence of the chapter.

    Parameters
    ----------
    slug : str
        Name of the experiment.
    which : str, optional
        The name of one of its figures; by default, the first.
    says : str, optional
        One or two sentences of the chapter that name the result.
    ask : str or sequence of str, optional
        Names of rows, or the name of a line, that the reader guesses before the result is shown.
    x : sequence of float, optional
        Where to guess a line; by default, at all its points.
    question : str, optional
        The question to the reader; by default, the question of the figure.
    why : str, optional
        The reason for the result, which the reader sees with it.
    hidden : sequence of str, optional
        Names of further lines that are hidden while the reader guesses.

    Returns
    -------
    Shown
        The figure, the sentence and, on pages, a link to the claim's own page.

    Raises
    ------
    ValueError
        If there is no such experiment, result, figure, row or line.
    Unforeseen
        If the rows don't meet the claim's condition `taught`, or the claim has none.

    Notes
    -----
    `says`, `question` and `why` are templates for the claim's numbers; see `Result.say` and
    `Result.write`.

    If the reader guesses, a page hides the sentence, and everything from the cell to the next
    heading, until the result is shown.
    """
    words = {"question": question, "why": why}
    return Shown(load(slug), which, says=says, ask=ask, x=x, hidden=hidden, **words)


class Shown:
    """A result that is ready to be shown, as `show` returns it.

    Attributes
    ----------
    result : Result
    says : str
        The chapter's sentence with its numbers; may be empty.
    data : Data or None
        The estimates that are shown.
    plot : rnn_helpers.plots.Plot or None
        The picture of a result that `Data` can't hold.
    ask : dict or None
        The reader's task if there is a guess; see `Data.asking`.
    """

    def __init__(
        self,
        result: Result,
        which: str | None = None,
        *,
        says="",
        ask=None,
        x=(),
        question="",
        why="",
        hidden=(),
    ):
        self.result = result
        self.says = result.say(says) if says else ""
        names = result.experiment.shown
        if which is not None and not names:
            raise ValueError(f"{result.slug} has no picture; its rows are in `table()`")
        name = next(iter(names), None) if which is None else as_choice("which", which, names)
        self.data = result.data(name) if name in result.experiment.data else None
        self.plot = result.plot(name) if name in result.experiment.pictures else None
        if ask and not self.data:
            raise ValueError(f"ask is {ask!r}; expected None, as {result.slug} shows a plot")
        self.ask = None
        if ask:
            self.ask = self.data.asking(ask, x, *map(result.write, (question, why)), hidden)

    @property
    def payload(self) -> dict:
        """Everything that a page needs except the figure.

        Returns
        -------
        dict of str to str
            ``slug`` and ``says``.
        """
        return {"slug": self.result.slug, "says": self.says}

    @property
    def figure(self) -> dict | None:
        """The figure of the data, as `rnn_helpers.explore.markup` takes it."""
        return self.data and figure(self.data, self.ask)

    def _html(self) -> str:
        from rnn_helpers.explore.html import self_contained

        said = f"<p>{html.escape(self.says)}</p>" if self.says else ""
        more = f'How we know: <code>experiments.load("{self.result.slug}")</code>'
        said += f"<p><small>{more}</small></p>"
        if self.ask:
            folded = f"<details><summary>What we found</summary>{said}</details>"
            return self_contained(self.figure) + folded
        plot = self.plot.html() if self.plot else ""
        return (self_contained(self.figure) if self.data else plot) + said

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {
            MIME: self.payload | {"figure": self.figure, "plot": self.plot and self.plot.payload},
            "text/html": self._html(),
            "text/plain": repr(self),
        }

    def __repr__(self):
        if self.ask:
            return self.ask["question"]
        return "\n".join([*self._described, *filter(None, [self.says])])

    @property
    def _described(self):
        if self.data:
            return [self.data.description]
        return [self.plot.alt] if self.plot else []


def figure(data, ask=None) -> dict:
    """Return the figure of some data, as `rnn_helpers.explore.markup` takes it."""
    from rnn_helpers import explore
    from rnn_helpers.figures.result.figure import tables

    made = explore.show("result", **data.state, ask=ask).payload | {"alt": data.description}
    return made if ask else made | {"question": data.question, "fallback": tables(data)}
