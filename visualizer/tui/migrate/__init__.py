"""The migration bench: a Fluid operator beside its PHI form."""
