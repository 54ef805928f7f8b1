"""From Fluid to PHI: an operator's classes read as C++, and written as the functions they became.

`migrate` reads the files of one operator and gives a `Migration`: the pieces of the new form, and a
mark for each idiom that says which row of the table it fell under, what took its place, and whether
a person must look at it.

An operator goes one way: `reading`, `rewriting`, `composing`, in the order that `stages` tells; then
`report` says what became of it, or `writing` puts it on the disk. No stage looks at a later one. What
is written is held against others: a compiler (`compiling`), and the old body (`proving`); what they say
of it is put in by `noting`. What replaces what stands in `table` and `fluid_names`: a new row is a line
there, as a rule.
"""

from visualizer.migration.migration import FileSpan, Mark, Migration, OldFile, Piece
from visualizer.migration.stages import migrate
from visualizer.migration.table import ERRATA, RULES, Rule

__all__ = [
    "ERRATA",
    "RULES",
    "FileSpan",
    "Mark",
    "Migration",
    "OldFile",
    "Piece",
    "Rule",
    "migrate",
]
