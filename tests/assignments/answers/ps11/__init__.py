"""Answers to problem set 11."""
