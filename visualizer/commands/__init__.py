"""The subcommands of `unfold`, a file each: what it accepts, and what it does.

`configure` adds a subcommand's options and its help to the parser, `run` turns parsed arguments into an
exit code. `command_line` puts them together. It imports all of these modules to parse any command line,
so whatever takes time to import (Textual, Numba) is imported by `run`.
"""
