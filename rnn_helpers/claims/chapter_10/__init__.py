"""Experiments of chapter 10, one module for each claim."""
