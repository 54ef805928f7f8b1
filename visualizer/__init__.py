"""What a person sees: macro expansion recorded step by step, and the screens that show it."""

__version__ = "0.1.0"
