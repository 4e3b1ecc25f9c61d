"""Where routers stand, in which cabinets, and how long the cables between them are."""
