"""The claims of chapter 3, one module for each."""
