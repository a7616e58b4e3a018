"""What is claimed in chapter 14: a module each."""
