"""A kernel of PHI's in the laboratory: on arguments that somebody chose, or on made-up ones."""
