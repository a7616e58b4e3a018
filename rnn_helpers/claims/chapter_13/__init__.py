"""What is claimed in chapter 13: a module each."""
