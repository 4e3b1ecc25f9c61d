"""What a run is: from its request to the document of what it found, new, resumed or repeated."""
