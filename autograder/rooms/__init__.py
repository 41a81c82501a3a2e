"""The two rooms: where student code and tests run, and what may pass between them.

Begin with `contract.py` (what goes in and comes out) and `rooms.py` (the one entry point).
"""
