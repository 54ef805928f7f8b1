"""A call's story, stepped through: beside a lesson, and among what came of a run."""
