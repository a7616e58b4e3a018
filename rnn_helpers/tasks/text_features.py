"""Features of a text that a reader could track, and how well a network's unit tracks them."""

import numpy as np

from rnn_helpers.validate import as_kind, as_real

FEATURES = ("brackets", "quotes", "indent", "line", "space")
"""Names of what `text_features` tells."""


def text_features(text: str) -> dict[str, np.ndarray]:
    """Return features of each character of a text: in brackets, in quotes, position in its line.

    The character itself counts: an opening bracket is inside, a closing one is outside again.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    dict of str to ndarray of float, shape (n,)
        ``"brackets"``: 1 where a bracket (round, square or curly) is open that was opened in the
        same line, else 0. ``"quotes"``: 1 where a string in ' or " is open, which the same mark or
        the end of the line closes; a mark after a letter or digit, as in *don't*, opens none.
        ``"indent"``: 1 for the spaces that a line begins with, and for the end of the line before
        them, else 0. ``"line"``: characters since the line began, 0 for its end. ``"space"``: 1 for
        a space, else 0.
    """
    as_kind("text", text, str, "a string")
    features = {name: np.zeros(len(text)) for name in FEATURES}
    depth, mark, place, indent, before = 0, "", 0, True, ""
    for t, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth = max(depth - 1, 0)
        if mark:
            mark = "" if character in (mark, "\n") else mark
        elif character in "'\"" and not before.isalnum():
            mark = character
        place = place + 1
        indent = indent and character == " "
        if character == "\n":
            depth, place, indent = 0, 0, True
        values = depth > 0, mark != "", indent, place, character == " "
        for name, value in zip(FEATURES, values, strict=True):
            features[name][t] = value
        before = character
    return features


def unit_correlations(h, feature) -> np.ndarray:
    """Correlation of each unit's course with that of a feature.

    Parameters
    ----------
    h : array_like, shape (T, n_h)
        States of a network that read a text.
    feature : array_like, shape (T,)
        A number for each step, such as one of `text_features`.

    Returns
    -------
    ndarray, shape (n_h,)
        From -1 to 1; 0 for a unit, or with a feature, that never changes.
    """
    h, feature = as_real("h", h), as_real("feature", feature)
    if h.ndim != 2 or not h.size:
        raise ValueError(f"h has shape {h.shape}; expected (T, n_h), one sequence of states")
    if feature.shape != h.shape[:1]:
        raise ValueError(f"feature has shape {feature.shape}; expected {h.shape[:1]}, as h")
    # the rounding errors of a constant would correlate with anything
    h, feature = (np.where(np.ptp(a, axis=0) > 0, a - a.mean(axis=0), 0.0) for a in (h, feature))
    power = np.sqrt((h**2).sum(axis=0) * (feature**2).sum())
    return np.divide(feature @ h, power, out=np.zeros(h.shape[1]), where=power > 0)
