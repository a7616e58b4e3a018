"""A claim on a page, from one call: what is claimed, the picture, the verdict, and a link."""

import html

from rnn_helpers.experiments.registry import Result, load

MIME = "application/vnd.unfolded.claim+json"
_PLOT = "application/vnd.unfolded.plot+json"


def show(slug, which=None):
    """Show a claim and what became of it.

    Parameters
    ----------
    slug : str
        Name of the experiment.
    which : str, optional
        Which of its pictures; the first, if there are any, if left out.

    Returns
    -------
    Shown
        The claim, the picture, the verdict with its number, and on pages a link to the claim's own,
        where everything else is.

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
        """Everything that a page needs, but the picture.

        Returns
        -------
        dict of str to str
            ``slug``, ``claim``, ``source``, ``verdict``, its ``kind``, and ``number``.
        """
        said = self.result.summary
        return {
            "slug": self.result.slug,
            "claim": self.result.claim,
            "source": self.result.experiment.place,
            "verdict": said.verdict,
            "kind": said.kind,
            "number": str(self.result.headline),
        }

    def _html(self, picture: str) -> str:
        words = {key: html.escape(value) for key, value in self.payload.items()}
        return (
            f"<p><strong>{words['claim']}</strong> ({words['source']})</p>{picture}"
            f"<p><strong>{words['verdict']}</strong>. In one number: {words['number']}. "
            f'More: <code>experiments.load("{words["slug"]}")</code></p>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        picture = self.plot._repr_mimebundle_() if self.plot else {}
        return {
            MIME: self.payload | {"plot": picture.get(_PLOT)},
            "text/html": self._html(picture.get("text/html", "")),
            "text/plain": repr(self),
        }

    def __repr__(self):
        said = "{claim} ({source})\n{verdict}\n{number}".format(**self.payload)
        return f"{said}\n{self.plot.alt}" if self.plot else said
