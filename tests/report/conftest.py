from __future__ import annotations

import pytest
from report.samples import from_counts, from_scores, with_pairs

from foldwise.comparison.pair import Replication


@pytest.fixture(scope="session")
def scored():
    """A comparison from repeated cross-validation with everything a comparison may have."""
    c = from_scores().replace(
        subject="vehicle (846 examples)",
        repeat="foldwise compare nb c45 --data vehicle --seed 7",
        seed=7,
        data_digest="cafe" * 16,
    )
    return with_pairs(c, replicability=Replication(verdicts=("a", "a", None, "b")))


@pytest.fixture(scope="session")
def predicted():
    return from_counts(names=("left", "right"))
