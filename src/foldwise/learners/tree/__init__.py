"""Decision tree kernels: growing, pruning, predicting, on plain arrays."""
