"""What figures carry that takes long to make: trained networks, results of experiments, sentences.

A module bears the name of its figure, or that of what several share; its ``make`` makes what it
keeps in ``NAME.json`` beside it, and ``python -m rnn_helpers.explore.trained NAME ...`` writes that
file anew. Python reads it by `stored`, and the figure's JavaScript imports the same file. The
installed package has the files without the modules.
"""

import json
from functools import cache
from pathlib import Path


def path(name):
    """Return the file in which a module's work is kept."""
    return Path(__file__).with_name(f"{name}.json")


@cache
def stored(name):
    """Return what a module has made, as JSON holds it."""
    return json.loads(path(name).read_text("utf-8"))
