"""The beginning of a Python kernel, written from the C++ that is in front of a reader.

`elements` reads off a body what it does to each element, as a `formula`; `text` writes the file.
"""
