"""The examiner process: it runs the tests and writes verdicts. Enter by `sandboxed_runner.py`."""
