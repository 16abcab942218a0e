"""Several models on the same items, or several learners on one data set: all pairs, who may be best, and ranks."""
