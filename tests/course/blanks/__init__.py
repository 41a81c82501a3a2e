"""Wrong answers to the blanks of the lessons: those that their checks must turn away."""
