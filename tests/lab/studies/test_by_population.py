from __future__ import annotations

import numpy as np
import pytest

from foldwise.lab.studies import find_studies
from foldwise.lab.studies.by_population import AUTO, Measured, _measured, _sound


def cell(type1, error=0.005):
    return Measured(type1=type1, error=error, power=0.5, consistent=0.8, R=0.9, fits=200)


@pytest.mark.parametrize(
    ("rates", "sound", "words"),
    [
        ([0.03, 0.075], True, "keeps its level on all sources"),
        ([0.03, 0.12], False, "above 0.075 on some source"),
    ],
)
def test_soundness_is_that_of_the_worst_source(rates, sound, words):
    assert _sound([cell(rate) for rate in rates]) == (sound, words)


def test_a_test_with_a_known_fault_is_not_called_sound():
    sound, words = _sound([cell(0.03)], "its variance is wrong")
    assert not sound
    assert words == "keeps its level on all sources, but its variance is wrong"


def test_too_few_data_sets_do_not_make_a_test_unsound():
    sound, words = _sound([cell(0.1, error=0.03)])
    assert not sound
    assert "within the Monte-Carlo error" in words


def test_cells_are_shares_over_data_sets_and_repetitions():
    null, effect = np.zeros((4, 10)), np.ones((4, 10))
    null[0, :5] = 1
    found = _measured(null, effect, 200)
    assert (found.type1, found.power, found.consistent, found.fits) == (0.125, 1.0, 0.75, 200)
    # R(5, 10) = 4/9 on one of eight data sets, 1 on the others
    assert pytest.approx((7 + 4 / 9) / 8) == found.R
    assert found.error == pytest.approx(np.std([0.5, 0, 0, 0], ddof=1) / 2)


def test_page_has_every_test_and_runs_auto():
    (study,) = find_studies("all/tests-by-population")
    result = study.run("smoke")
    labels = [row.label for row in result.rows]
    assert any(label.startswith("independent binary, nb vs c45: " + AUTO) for label in labels)
    worst = [label for label in labels if label.endswith("highest Type I error")]
    assert len(worst) == len(set(worst)) == len(result.raw["independent binary, nb vs c45"])
