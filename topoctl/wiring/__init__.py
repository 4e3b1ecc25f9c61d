"""What is wired to what: names, plans that other tools read, and what was found in the room."""
