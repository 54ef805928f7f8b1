"""What the stepper screen is made of: one widget, one file."""
