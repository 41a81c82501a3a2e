"""Answers to problem set 10."""
