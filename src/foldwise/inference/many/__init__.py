"""Many learners on many data sets: omnibus tests, pairwise tests, adjustments and Bayesian models."""
