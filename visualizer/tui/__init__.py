"""The Textual app: a folder a screen, over a workbench. `app.UnfoldApp` opens it."""

import os

# Textual paints no more often than so many times a second, and reads the number when it is imported.
# At its usual 60, a key that comes just after a frame waits longer for the next than it takes to draw.
os.environ.setdefault("TEXTUAL_FPS", "120")
