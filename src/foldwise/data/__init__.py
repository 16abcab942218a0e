"""Data sets: where they come from, how nominal and missing values are kept, result and prediction files."""
