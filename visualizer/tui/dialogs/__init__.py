"""What opens over a screen, asks or tells one thing, and closes."""
