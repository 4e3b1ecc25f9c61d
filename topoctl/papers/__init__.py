"""The papers' tables and figures as definitions: presets, comparisons, sweeps."""
