"""One short module a theorem: it states it, checks it on given laws, returns what to plot."""
