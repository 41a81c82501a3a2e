"""Answers to problem set 7."""
