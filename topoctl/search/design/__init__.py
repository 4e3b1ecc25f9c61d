"""Design: which network to build, from what is required of it."""
