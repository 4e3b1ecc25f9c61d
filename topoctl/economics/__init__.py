"""What a network takes besides ports and links: power, and later cost."""
