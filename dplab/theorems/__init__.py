"""One short module for each theorem: a statement, a check on given laws, and data to plot."""
