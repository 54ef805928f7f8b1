"""Tokens and words in rows of cells, for screens and documents: where to break, which colours."""
