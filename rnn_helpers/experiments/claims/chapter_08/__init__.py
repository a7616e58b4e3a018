"""What is claimed in chapter 08: a module each."""
