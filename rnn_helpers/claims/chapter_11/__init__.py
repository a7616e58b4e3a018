"""What is claimed in chapter 11: a module each."""
