"""What the blocks of `TORCH_LIBRARY` do when they are run: `m.def`, `m.impl`, `m.fallback`."""
