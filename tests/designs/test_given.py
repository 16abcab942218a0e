"""A kind of evidence that is only given needs no plan; what makes evidence from learners refuses it in a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foldwise.core.errors import InvalidInput
from foldwise.designs import CLUSTERS, KINDS, RIGHT_WRONG, Basis, Kind, Resampled, find_procedure
from foldwise.designs.resampled import is_simulated, resampled, simulated
from foldwise.lab.evidence import kinds_of


class Given(Kind):
    """As little as a kind of given evidence may be."""

    name = "given"
    words = "marks that somebody gave"
    assumes = ("items are independent",)
    plots = ()
    recommended = "mcnemar"
    because = "there is no other"
    limit = "these items only"

    def natural(self, evidence):
        return False

    def fits(self, evidence):
        return False

    def batch(self, evidence, alpha):
        raise NotImplementedError

    def findings(self, evidence, procedure, *, alpha, rope):
        raise NotImplementedError

    def posterior(self, evidence, procedure, *, alpha, rope):
        return None

    def estimand(self, evidence, procedure):
        return "marks"

    def caveats(self, evidence, procedure, *, alpha, rope):
        return []


GIVEN = replace(find_procedure("mcnemar"), name="given_test", kind=Given())


def test_a_given_kind_needs_neither_plan_nor_shape():
    assert isinstance(GIVEN.kind, Basis)
    assert not isinstance(GIVEN.kind, Resampled)
    assert GIVEN.kind == Given()
    assert GIVEN.kind != RIGHT_WRONG


def test_what_resamples_refuses_it():
    with pytest.raises(InvalidInput, match="test 'given_test' needs marks that somebody gave, which no resampling"):
        resampled(GIVEN)


def test_the_lab_refuses_it():
    assert not is_simulated(GIVEN.kind)
    with pytest.raises(InvalidInput, match="test 'given_test' needs marks that somebody gave, which no population"):
        kinds_of([GIVEN])


def test_clusters_are_made_by_learners_but_drawn_by_no_population():
    clustered = find_procedure(CLUSTERS.recommended)
    assert resampled(clustered) is CLUSTERS
    with pytest.raises(InvalidInput, match="which no population draws"):
        simulated(clustered)


def test_every_kind_that_resamples_says_its_cost():
    from foldwise.designs import Design

    for kind in KINDS:
        if isinstance(kind, Resampled):
            assert kind.trainings(Design()) >= 1
