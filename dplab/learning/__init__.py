"""Learning under a promise: algorithms that see the data through noisy answers alone."""
