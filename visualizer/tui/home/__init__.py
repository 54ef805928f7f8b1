"""Home, and the ways to open a file."""
