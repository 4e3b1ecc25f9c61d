"""The papers' tables and figures: their rows and their pictures."""
