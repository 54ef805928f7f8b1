"""Tensors as the dispatcher and the iterator see them: storage, sizes, strides, types, devices."""
