"""Simulated annealing of grid, diagrid and general graphs by exchanging links.

The search of ``optimize grid`` and ``optimize graph``. ``search`` plans its legs and does its epochs with the
networks of ``replicas``, or of ``structured_replicas``; what a leg begins with is in ``starts``, what is made
small in ``objectives``. Source: Nakano et al. (2016).
"""
