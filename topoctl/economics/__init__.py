"""What a network takes besides ports and links: power."""
