"""Arrays to numbers, and the robust mathematics that rules share. Needs NumPy alone."""
