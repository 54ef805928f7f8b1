"""One kernel compiled for several instruction sets, and how the right build of it is chosen."""
