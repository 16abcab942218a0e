"""The papers' learners with scikit-learn's interface, and whole-cross-validation kernels."""
