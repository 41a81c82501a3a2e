"""Answers to problem set 2."""
