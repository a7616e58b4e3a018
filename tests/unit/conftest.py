"""Unit tests draw no pictures."""

from undrawn import pixels, undrawn  # noqa: F401
