"""What is shown at a moment, worked out without a window; screens and documents draw from it."""
