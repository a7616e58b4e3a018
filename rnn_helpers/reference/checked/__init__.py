"""The functions of single equations, which check their arguments first; see `reference._guard`."""
