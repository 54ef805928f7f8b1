"""A lesson: its page, its questions, its exercises."""
