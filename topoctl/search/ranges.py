"""Ranges that every search's request shares: beyond all sense, within all counters; 10^9 s are 31 years."""

MAX_INDIVIDUALS, MAX_EPOCHS, MAX_EVALUATIONS, MAX_SECONDS = 10**5, 10**9, 10**15, 10**9
