"""The claims of chapter 08, one module each."""
