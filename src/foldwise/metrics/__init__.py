"""Metrics of models' outputs on one test set: each an object that knows its name, direction, needs and resampling."""
