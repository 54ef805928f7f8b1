"""Tokens and words in rows of cells, for every screen and document: where to break, what is cut."""
