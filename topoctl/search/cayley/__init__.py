"""The search of Cayley networks of semidirect products."""
