"""What is claimed in chapter 04: a module each."""
