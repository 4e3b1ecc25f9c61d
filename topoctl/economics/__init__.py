"""The cost and the power of networks."""
