"""Cycle-level simulation of networks: what is simulated, when it stops, what it finds."""
