"""Enumeration: every instance of some families within windows, listed from closed forms, then ranked."""
