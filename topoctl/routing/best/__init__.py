"""The best routing of uniform traffic: a linear program over the orbits of a network's symmetry."""
