"""What is claimed in chapter 12: a module each."""
