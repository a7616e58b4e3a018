"""The claims of chapter 16, one module each."""
