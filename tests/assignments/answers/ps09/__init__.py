"""Answers to problem set 9."""
