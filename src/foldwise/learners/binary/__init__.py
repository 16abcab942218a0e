"""Whole repeated cross-validations on many data sets of binary attributes and two classes at once.

For simulations: the learners' kernels work on packed bits, draw the stratified folds themselves, and run on all cores.
"""

from __future__ import annotations

from foldwise.learners.binary.batch import cross_validate, stratified_folds

__all__ = ["cross_validate", "stratified_folds"]
