"""What is claimed in chapter 01: a module each."""
