"""Cycle-level simulation: latency and accepted load of networks, routings and traffic by offered load."""
