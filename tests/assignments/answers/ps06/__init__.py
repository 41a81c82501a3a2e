"""Answers to problem set 6.

Little is left to chance: tests ask at both ends of every range and once in each part of it, so that
all wrong answers but some to `reconstruct` are found under every secret.
"""
