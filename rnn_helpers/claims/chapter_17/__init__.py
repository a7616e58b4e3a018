"""What is claimed in chapter 17: a module each."""
