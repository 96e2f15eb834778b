"""One rule in a file; `catalog` lists them. Needs NumPy alone."""
