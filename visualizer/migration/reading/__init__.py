"""The first stage: an operator's files are read as C++, sorted, and understood as operators."""
