"""The third stage: the files of the new form, each a draft of our own words and of edited old text.

A module for each kind: `kernels` and `kernel_files`, `shared_functions`, `mapping`, `infer_meta`, and
what `remains` in Fluid. `element_types` answers what several of them ask.
"""
