"""The vocabulary as types. Needs the standard library alone."""
