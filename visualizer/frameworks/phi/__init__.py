"""How PHI's kernels are told: in a row, in a few, at length, in tables, and in answers to questions."""
