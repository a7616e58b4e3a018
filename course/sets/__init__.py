"""Templates of problems: one module for each set, with `TITLE`, `CHAPTERS` and `TEMPLATES`."""
