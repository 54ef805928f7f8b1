"""The Textual app: one stepper screen over a workbench. `app.UnfoldApp` opens it."""
