"""An operator of PyTorch's in the laboratory, and the builds of a dispatch stub's kernel."""
