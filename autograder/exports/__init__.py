"""Grades for other systems: `standings` has them, each format a module, `writing` the files."""
