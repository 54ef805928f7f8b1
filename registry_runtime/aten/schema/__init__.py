"""What an operator takes and gives: schemas, read from strings or inferred from C++ types."""
