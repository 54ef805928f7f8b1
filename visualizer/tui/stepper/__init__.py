"""The stepper: the line, the card, the source, the registry, and what opens over them."""
