"""The teacher's rehearsal of the range. Students don't get this package."""
