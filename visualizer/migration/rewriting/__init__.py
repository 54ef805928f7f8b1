"""The second stage: inside of a function, Fluid's idioms give way to PHI's."""
