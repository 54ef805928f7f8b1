"""Texts compiled by the machine's own compiler, and what came of it run: always in a child process.

`child` starts a process with limits on memory, time and output, and kills it whole; whatever it does,
nothing of ours is lost. `compiler` runs a compiler in one, and says its first error at the line of the
source that led there. Nothing here looks for a compiler, reads a user's flags or asks for consent: who
calls says which program and which words (`visualizer.workbench.machine_compiler` finds them), and has
asked whether this text may run (`visualizer.personal.consent`).
"""
