"""The claims of chapter 18, one per module."""
