"""The real thing as judge: what a compiled text registers, beside what was interpreted.

A registry of ours says what a file registers by reading it. Here the file is compiled, and its own
static initialisation fills a native registry: one that only records, for texts with the samples'
headers (`recording`), Paddle's in an installed Paddle (`of_paddle`), or the dispatcher of an installed
PyTorch (`of_torch`). Both sides come down to `facts`, and those are compared. Nobody who judges shares
code with what is judged: a native registry says in its own words what it holds.

All of it runs in child processes with limits. Who calls has asked whether this text may run.
"""
