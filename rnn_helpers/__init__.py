"""The package every notebook of *Unfolded* stands on."""
