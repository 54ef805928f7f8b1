"""The old body against the new one: both compiled, both run, on the same random inputs.

Fluid's class is put into a function with the new kernel's parameters, which makes an ExecutionContext
of them and calls its Compute; a header of `old_world` is all of Fluid that it then sees. So both are
kernels of PHI's to whoever runs them, and what one leaves can be held beside what the other leaves,
byte for byte. With an installed Paddle, the operator's InferShape and its InferMeta are called first,
where there are both, so that these are held beside each other, too.

`programs` writes and compiles the two, `inputs` makes calls up, `trials` compares what they leave.
"""

from visualizer.migration.proving.trials import Trial, trials, with_proofs

__all__ = ["Trial", "trials", "with_proofs"]
