"""Answers to the capstone."""
