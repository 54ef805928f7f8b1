"""The workshop without its window: texts being edited, what they expand to, and how they are kept."""
