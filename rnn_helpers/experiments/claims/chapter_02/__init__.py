"""Claims of chapter 02, one module each."""
