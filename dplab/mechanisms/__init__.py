"""The mechanisms, one idea a module."""
