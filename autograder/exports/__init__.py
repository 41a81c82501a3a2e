"""Grades for other systems: `standings` reads them, `writing` writes files, one module a format."""
