"""The claims, by chapter: a module each, named by its slug."""
