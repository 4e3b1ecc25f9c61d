"""What a network costs, takes and delays at best, whatever its cables (stand-in until prices are there)."""

from __future__ import annotations


def least_outlay(order: int, size: int, endpoints: int, aspl: float) -> dict[str, float]:
    """Lower bounds on what is measured of a network."""
    ports = 2 * size + endpoints
    cost = 128 * ports + 15029 * order + 446 * (size + endpoints)
    return {
        "cost_per_endpoint": cost / endpoints,
        "power_per_endpoint": 2.8 * ports / endpoints,
        "average_latency_ns": 60 * (aspl + 1),
    }
