"""The tests in the package draw no pictures."""

from undrawn import undrawn  # noqa: F401
