"""The experiments of chapter 04, one in each module."""
