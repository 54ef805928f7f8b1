"""A trace as something else: preprocessed text, a walk-through to read, JSON."""
