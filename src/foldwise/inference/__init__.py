"""Tests, intervals and Bayesian procedures: arrays in, result objects out.

Every procedure accepts leading batch axes, so that a million experiments are one call, and prints nothing.
"""

from __future__ import annotations

from foldwise.inference.clustered_difference import clustered_difference
from foldwise.inference.difference_of_proportions import DifferenceOfProportionsResult, difference_of_proportions
from foldwise.inference.mcnemar import McNemarResult, mcnemar
from foldwise.inference.mcnemar_power import connor_sample_size, mcnemar_detectable_difference, mcnemar_power
from foldwise.inference.paired_difference import PairedDifferenceResult, paired_difference
from foldwise.inference.paired_posterior import PairedPosterior, paired_posterior

__all__ = [
    "DifferenceOfProportionsResult",
    "McNemarResult",
    "PairedDifferenceResult",
    "PairedPosterior",
    "clustered_difference",
    "connor_sample_size",
    "difference_of_proportions",
    "mcnemar",
    "mcnemar_detectable_difference",
    "mcnemar_power",
    "paired_difference",
    "paired_posterior",
]
