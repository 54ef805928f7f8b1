"""The first stage: from an operator's files to what Fluid would know of it.

A file is parsed (`fluid_text`), and what stands in it is named, declared and sorted (`names`,
`declarations`, `sorting`). What a function does with its context is found on demand (`functions`).
At the end there are `operators`, each with the `signature` that its kernel will have.
"""
