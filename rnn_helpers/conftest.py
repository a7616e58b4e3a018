"""The claims' tests draw no pictures."""

from undrawn import undrawn  # noqa: F401
