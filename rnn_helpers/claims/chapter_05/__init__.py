"""The claims of chapter 5, one module each."""
