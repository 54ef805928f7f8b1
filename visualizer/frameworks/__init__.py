"""How each framework tells its entries: a folder each, with the functions that `presenter` lists.

PHI holds one kernel under each key and describes its arguments; Fluid's operators have lists of names;
PyTorch's dispatcher computes a table out of all that was registered for an operator. So what there is
to tell of an entry differs from the first row on.
"""
