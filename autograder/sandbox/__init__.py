"""What stands around the student's room: isolation, limits, and the server that forks rooms.

Begin with `layers.py`, which says what holds a student's code back, and where it doesn't.
"""
