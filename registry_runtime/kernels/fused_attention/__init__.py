"""`fused_attention`: a whole attention block, from its input to its output, as one operator.

Every token of a sequence asks all the others: q · k says how much each matters to it, softmax makes
shares of that, and what it gets is the sum of their v by these shares. Before that stand three linear
layers side by side, behind it one more; dropout comes twice, then the residual, and layer norm either
first of all or last of all. `signature` has the two parameter lists, `checks` what must go together,
`dropout` the random numbers, `reference` what is right by NumPy and `second_way` what confirms it,
`cuda` the device's loops; `forward` and `gradient` launch them.
"""
