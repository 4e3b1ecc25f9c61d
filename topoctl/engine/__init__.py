"""Where tasks run: in this process, or on the workers of a cluster."""
