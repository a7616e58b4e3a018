"""What is claimed in chapter 07: a module each."""
