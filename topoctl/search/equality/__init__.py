"""The genetic search of Equality networks."""
