"""The second stage: what changes inside of a function, as edits of the old text.

`methods` takes a Compute or an InferShape and asks the modules beside it: a `body` gets parameters
for what it read, `questions` and `shapes` are answered by these, `idioms` and `memory` need no
context. All of them put `edits`, and none of them writes text.
"""
