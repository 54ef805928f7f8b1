"""What joins an operator of Fluid's to PHI: mappings, base names, InferMeta."""
