"""What is claimed in chapter 02: a module each."""
