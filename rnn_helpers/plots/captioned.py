"""Pictures with a network's captions."""

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import COLOUR_MAPS, Plot, style, subplots
from rnn_helpers.plots.words import counted
from rnn_helpers.validate import as_list, as_real

_MOST = 6  # pictures in a row


def captions(pictures, said, true=None, right=None):
    """Draw pictures in a row, each with a network's caption below it.

    Parameters
    ----------
    pictures : array_like, shape (n, H, W)
        Six pictures at most, with values from 0, the paper, to 1.
    said : sequence of n str
        The network's captions.
    true : sequence of n str, optional
        The correct captions.
    right : dict of str to float, optional
        Shares of correct captions, from 0 to 1, by a name. They are written above the pictures.

    Returns
    -------
    Plot
    """
    pictures = as_real("pictures", pictures)
    if pictures.ndim != 3 or not pictures.size or len(pictures) > _MOST:
        raise ValueError(f"pictures has shape {pictures.shape}; expected (n, H, W), n to {_MOST}")
    said = _as_words("said", said, len(pictures))
    known = true is not None
    true = _as_words("true", true, len(pictures)) if known else said
    shares = [f"{name}: {share:.0%}" for name, share in _as_shares(right).items()]
    with style():
        figure, axes = subplots(1, len(pictures), height=2.1 + 0.2 * len(shares))
        axes = [axes] if len(pictures) == 1 else axes.ravel()
        for each, picture, words, ought in zip(axes, pictures, said, true, strict=True):
            each.imshow(picture, cmap=COLOUR_MAPS["amount", "light"], vmin=0, vmax=1)
            each.set(xticks=[], yticks=[])
            each.grid(False)
            fits = words == ought
            each.set_xlabel(
                (words or "nothing").replace(" of ", "\nof ").replace(" above ", "\nabove "),
                color=colour("output" if fits else "loss"),
                fontweight="normal" if fits else "bold",
            )
        if shares:
            figure.suptitle("right, on new pictures\n" + "\n".join(shares))
        wrong = [
            f"{words or 'nothing'} where it is {ought}"
            for words, ought in zip(said, true, strict=True)
            if words != ought
        ]
        alt = f"{counted(len(pictures), 'picture')}, and a network's caption of each: "
        alt += ", ".join(words or "nothing" for words in said) + ". "
        if known:
            alt += f"Wrong: {'; '.join(wrong)}." if wrong else "All are right."
        return Plot(figure, alt + "".join(f" Right, {share}." for share in shares))


def _as_words(name, words, n):
    words = as_list(name, words)
    if len(words) != n or not all(isinstance(one, str) for one in words):
        raise ValueError(f"{name} is {words}; expected a sentence for each of {n} pictures")
    return words


def _as_shares(right):
    if right is None:
        return {}
    if not isinstance(right, dict):
        raise TypeError(f"right is {right!r}; expected a dict of shares")
    for name, share in right.items():
        share = as_real("right", share)
        if share.ndim or not 0 <= share <= 1:
            raise ValueError(f"right[{name!r}] is {share}; expected a share, from 0 to 1")
    return right
