"""The plain twins of the kernels: slow, short, and what the kernels have to agree with."""
