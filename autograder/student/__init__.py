"""The student's room: IPython without a kernel, which answers what the examiner asks."""
