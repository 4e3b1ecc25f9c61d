"""Tables of a network of which links or routers have failed: all anew, or with the fewest changed entries."""
