"""One short module for each theorem: a statement, a check on examples, and data to plot."""
