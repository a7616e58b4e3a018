"""What is claimed in chapter 16: a module each."""
