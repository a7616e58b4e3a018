"""What belongs to a figure in Python: a module of the figure's name, by which it is found.

``poster(state)``
    Draws the figure in a complete state, a `Plot`: what is seen where no script runs.
``fallback(state)``
    Instead of a poster, where words serve better than a picture: HTML.
``check(state, given)``
    Raises ValueError for a state that the manifest lets through and that the figure cannot take;
    ``given`` is what of the state was given. Only a figure with such states has it.
"""

from importlib import import_module


def module(name):
    """Return the module of a figure."""
    return import_module(f"{__name__}.{name}")
