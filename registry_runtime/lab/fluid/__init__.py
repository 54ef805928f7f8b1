"""An operator of Fluid's in the laboratory, called by names."""
