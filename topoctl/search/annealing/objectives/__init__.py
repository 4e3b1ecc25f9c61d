"""Objectives of annealing: few hops, low latencies, few optical cables; one file each, one registry."""
