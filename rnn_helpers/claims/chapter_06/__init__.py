"""What is claimed in chapter 06: a module each."""
