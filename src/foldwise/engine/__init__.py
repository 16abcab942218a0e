"""Runs a plan: learners × splits, in parallel, cached in a store, resumable."""
