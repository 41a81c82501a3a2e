"""Answers to problem set 12."""
