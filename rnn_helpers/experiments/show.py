"""An experiment on a page, from one call: finding, plot, the source's claim, and a link."""

import html

from rnn_helpers.experiments.store import Result, load

MIME = "application/vnd.unfolded.claim+json"
_PLOT = "application/vnd.unfolded.plot+json"


def show(slug, which=None):
    """Show what an experiment found, and what that means for the source's claim.

    Parameters
    ----------
    slug : str
        Name of the experiment.
    which : str, optional
        Which of its pictures; the first, if there are any, if left out.

    Returns
    -------
    Shown
        Our finding, the plot, the claim with its verdict, and on pages a link to the claim's own
        page, which has everything else.

    Raises
    ------
    ValueError
        If there is no such experiment, result or picture.
    """
    return Shown(load(slug), which)


class Shown:
    """What `show` returns.

    Attributes
    ----------
    result : Result
    plot : rnn_helpers.plots.Plot or None
    """

    def __init__(self, result: Result, which: str | None = None):
        self.result = result
        pictured = which is not None or result.experiment.pictures
        self.plot = result.plot(which) if pictured else None

    @property
    def payload(self) -> dict:
        """Everything that a page needs except the plot.

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

    def _html(self, picture: str) -> str:
        words = {key: html.escape(value) for key, value in self.payload.items()}
        more = f'<code>experiments.load("{words["slug"]}")</code>'
        return (
            f"<p><strong>{words['finding']}</strong></p>{picture}"
            f"<p><small>{words['source']}: {words['claim']} <em>{words['verdict']}</em> "
            f"More: {more}</small></p>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        picture = self.plot._repr_mimebundle_() if self.plot else {}
        return {
            MIME: self.payload | {"plot": picture.get(_PLOT)},
            "text/html": self._html(picture.get("text/html", "")),
            "text/plain": repr(self),
        }

    def __repr__(self):
        said = "{finding}\n{source}: {claim}\n{verdict}".format(**self.payload)
        return f"{said}\n{self.plot.alt}" if self.plot else said
