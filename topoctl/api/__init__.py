"""What Python programs call: networks built, read, measured, searched and enumerated."""
