"""Data of figures that takes long to make: trained networks, experiments' results, sentences.

A module is named after its figure, or after the data that several figures share; its ``make``
computes the data in ``NAME.json`` next to it. To write that file again, run
``python -m rnn_helpers.explore.trained NAME ...``. Python reads it by `stored`, and the figure's
JavaScript imports the same file. The installed package has the files without the modules.
"""

import json
from functools import cache
from pathlib import Path


def path(name):
    """Return the file in which a module's work is kept."""
    return Path(__file__).with_name(f"{name}.json")


@cache
def stored(name):
    """Return the stored data of a module, as read from JSON."""
    return json.loads(path(name).read_text("utf-8"))
