"""What is written: the files of the new form, each by a module of its own."""
