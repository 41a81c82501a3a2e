"""nbgrader's gradebook: open it, read it and write points into it."""
