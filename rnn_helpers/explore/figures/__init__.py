"""What belongs to one figure each, under the figure's name."""
