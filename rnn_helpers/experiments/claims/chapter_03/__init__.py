"""What is claimed in chapter 03: a module each."""
