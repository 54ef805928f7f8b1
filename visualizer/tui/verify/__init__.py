"""The opened file before a judge."""
