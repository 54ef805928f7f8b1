"""The workshop: a text being edited, and what it comes to."""
