"""The third stage: the pieces of the new form, each written from the old files and their edits."""
