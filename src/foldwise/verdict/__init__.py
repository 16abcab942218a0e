"""The façade: evidence → recommended procedure → `Comparison`."""
