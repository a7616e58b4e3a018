"""What is claimed in chapter 10: a module each."""
