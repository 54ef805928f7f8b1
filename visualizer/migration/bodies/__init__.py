"""From a method that asks a context for everything to a function that is given it."""
