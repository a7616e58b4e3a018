"""The interactive figures and labs of notebooks, pages and decks."""

from rnn_helpers.explore.figure import Figure, show
from rnn_helpers.explore.html import markup
from rnn_helpers.explore.lab import Lab, lab
from rnn_helpers.explore.states import manifest, scripts_for, styles_for

__all__ = [
    "Figure",
    "Lab",
    "lab",
    "manifest",
    "markup",
    "scripts_for",
    "show",
    "styles_for",
]
