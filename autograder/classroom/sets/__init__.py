"""Problem sets: their cells, files and sources, the lint of their tests, variants of a set."""
