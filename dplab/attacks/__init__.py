"""Attacks on releases whose guarantee is missing, misread or broken."""
