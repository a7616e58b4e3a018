"""What is claimed in chapter 05: a module each."""
