"""Tests of the room of this name, and their helpers."""
