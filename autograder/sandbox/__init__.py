"""The walls around a student process: isolation, limits, and the server that forks processes.

Begin with `layers.py`, which says what holds a student's code back, and where it doesn't.
"""
