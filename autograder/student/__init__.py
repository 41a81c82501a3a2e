"""The student process: IPython without a kernel, which answers the examiner's requests."""
