"""What a search makes of its networks: few hops, low latencies, few optical cables."""
