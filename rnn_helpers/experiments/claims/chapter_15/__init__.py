"""What is claimed in chapter 15: a module each."""
