"""Answers to problem set 6."""
