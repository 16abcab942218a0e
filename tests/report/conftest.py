from __future__ import annotations

import pytest
from report.samples import from_counts, from_scores

from foldwise.comparison.pair import Replication


@pytest.fixture(scope="session")
def scored():
    """A comparison from repeated cross-validation with everything a comparison may have."""
    return from_scores().replace(
        subject="vehicle (846 examples)",
        repeat="foldwise compare nb c45 --data vehicle --seed 7",
        seed=7,
        data_digest="cafe" * 16,
        replicability=Replication(verdicts=("a", "a", None, "b")),
    )


@pytest.fixture(scope="session")
def predicted():
    return from_counts(names=("left", "right"))
