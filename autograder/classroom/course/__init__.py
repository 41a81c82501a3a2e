"""The course folder: its files and names, configuration, lock, times and extensions."""
