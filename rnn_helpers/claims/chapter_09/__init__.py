"""What is claimed in chapter 09: a module each."""
