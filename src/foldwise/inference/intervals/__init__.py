"""Intervals for one error rate, one family per file; `foldwise.inference.error_interval` is the way in."""
