"""Grades for other systems: `standings` reads them, `write_exports` writes the files."""
