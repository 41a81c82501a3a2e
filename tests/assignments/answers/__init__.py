"""Right and wrong answers to the exercises of all problem sets, a module for each exercise."""
