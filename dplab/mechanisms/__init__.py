"""The mechanisms; each module has one idea."""
