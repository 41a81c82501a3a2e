"""The sandbox of a student process: isolation, limits, and the server that forks processes.

Begin with `layers.py`, which describes the layers of the sandbox, and their gaps.
"""
