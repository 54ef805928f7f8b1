"""From a call to a running kernel: by arguments (`launch`), by a context (`kernel_call`), by names
(`op_call`)."""
