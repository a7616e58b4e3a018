"""The claims of chapter 15, one module each."""
