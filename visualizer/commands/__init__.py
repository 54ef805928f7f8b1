"""The subcommands of `unfold`, a file each: what it accepts, and what it does.

`configure` adds a subcommand's options and its help to the parser, `run` turns parsed arguments into an
exit code. `command_line` puts them together, and imports all of these modules where help or a shell's
completion is about all of them; so whatever takes time to import (Textual, Numba) is imported by `run`.
"""
