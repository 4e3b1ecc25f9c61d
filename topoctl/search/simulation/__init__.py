"""Simulations as searches: one load, the largest load that is carried, or work, on one network."""
