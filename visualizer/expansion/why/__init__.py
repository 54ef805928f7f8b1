"""Why does this name stand for that here, or for nothing?

Three things are asked of a file that is preprocessed once more with eyes open: what happened to the
names in question (`history`), which `#if`s decided that (`groups`), and what the expansions on the
line did with the name that stands there (`fates`). `answers` makes one verdict of them for each name
of a line, and `wording` says it.
"""
