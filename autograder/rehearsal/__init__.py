"""What the checks of a problem set promise, tried out on answers that are known to be right or
wrong: in this process, with no rooms between, so never on what a student handed in."""
