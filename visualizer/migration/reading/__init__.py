"""What stands in a Fluid operator's files, read as C++ and sorted by what it is for."""
