"""Which items people should label: a random draw from those that a judge scored, written as a table to fill in."""

from __future__ import annotations

import csv
import io
import os
from dataclasses import replace

import numpy as np

from foldwise.comparison.judgement import Judgement
from foldwise.comparison.power_plan import PowerPlan
from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.core.random import stream
from foldwise.designs.human_labels import JudgedItems
from foldwise.evidence.items import Items


def draw_labels(study: Judgement, plan: PowerPlan, path: str | os.PathLike[str], *, seed: int = 0) -> PowerPlan:
    """Write a random sample of the items that have no label yet, a row per item and model, and say so in the plan.

    Labels that are there count: they must be a random sample too, so that old and new ones together are one.
    """
    evidence = study.main.parts[0].evidence
    assert isinstance(evidence, Items)
    known = np.isfinite(evidence.human).all(axis=0) if isinstance(evidence, JudgedItems) else np.zeros(evidence.n, bool)
    there, wanted = int(known.sum()), min(plan.size, evidence.n)
    if there >= wanted:
        raise InvalidInput(f"pilot has {there} labelled items already, and {wanted} are needed: nothing to draw")
    keys = np.arange(1, evidence.n + 1) if evidence.items is None else evidence.items
    drawn = np.sort(stream(seed, "labels").choice(np.flatnonzero(~known), wanted - there, replace=False))
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    # without the judge's scores, which people should not know
    rows.writerow(["model", "item", "human"])
    rows.writerows([name, keys[place], ""] for place in drawn for name in evidence.names)
    write_whole(path, text.getvalue())
    told = (
        f"{len(drawn)} items were drawn at random (seed {seed}) from the {evidence.n - there:,} without a label and "
        f"written to {os.fspath(path)}, a row for each model's answer; label all of them"
    )
    return replace(plan, assumptions=(told, *plan.assumptions))
