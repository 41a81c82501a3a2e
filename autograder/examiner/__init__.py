"""The examiner's room: runs the tests, and writes verdicts. `rooms.py` is the one entry point."""
