"""The search by populations: of Equality networks, and of Cayley networks in general."""
