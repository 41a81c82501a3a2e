"""Answers to problem set 5."""
