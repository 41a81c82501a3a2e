"""The intake of submissions: whose files they are, which notebook counts, and their records."""
