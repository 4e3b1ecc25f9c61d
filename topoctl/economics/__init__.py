"""What a network on a floor takes: cables in metres, power in watts."""
