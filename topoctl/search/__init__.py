"""Searches as pure epochs, enumeration, and the certification of what they find. Nothing here prints."""
