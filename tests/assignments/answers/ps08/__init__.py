"""Answers to problem set 8."""
