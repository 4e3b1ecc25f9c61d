"""A graph in, numbers out: distances, bounds, and what measuring costs."""
