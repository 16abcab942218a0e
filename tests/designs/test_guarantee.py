"""The guarantee belongs to the procedure: short, with measured figures, and "exact" only where it is."""

from __future__ import annotations

import re

import pytest

from foldwise.designs import find_procedure, procedure_names
from foldwise.designs.data_sets import PROCEDURES
from foldwise.designs.guarantee import approximate, exact, heuristic, interval_guarantee, unmeasured
from foldwise.inference.measured import measured_levels

OPTIONS = ("use_all_data:calibrated", "use_all_data:df=10", "use_all_data:df=12.5", "round_robin:df=3")
ENTRIES = [*map(find_procedure, (*procedure_names(), *OPTIONS)), *PROCEDURES]
EXACT = {"mcnemar_exact", "sign"}
HEURISTIC = {"resampled_t", "kfold_cv_t", "five_by_two_cv_t", "five_by_two_cv_f", "cv_clt"}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_guarantee_is_short_and_of_one_of_three_strengths(entry):
    words = entry.guaranteed
    assert re.match(r"(exact under|approximate;|heuristic;) ?\S", words)
    assert 4 <= len(words.split()) <= 18
    assert not re.search("proved|promise|whatever the learners:", words)
    assert words.startswith("exact") == (entry.name in EXACT)


@pytest.mark.parametrize("name", sorted(HEURISTIC | {"use_all_data", "sorted_runs", "use_all_data:df=10"}))
def test_a_heuristic_is_called_one(name):
    assert find_procedure(name).guaranteed.startswith("heuristic;")


@pytest.mark.parametrize("name", ["corrected_resampled_t", "corrected_repeated_cv_t", "round_robin", "nested_cv"])
def test_corrected_tests_need_stable_learners_and_say_where_they_were_measured(name):
    words = find_procedure(name).guaranteed
    assert words.startswith("approximate; valid for stable learners; measured Type I error up to ")
    assert f"{len(measured_levels(name))} named sources" in words


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_no_figure_is_better_than_what_was_measured(entry):
    said = re.search(r"Type I error (?:at most|up to) (\.\d\d)", entry.guaranteed)
    if said is None:
        assert entry.guarantee.strength == "exact" or entry.guarantee.unmeasured or "not measured" in entry.guaranteed
        return
    cases = [case.rate for case in measured_levels(entry.guarantee.known_as or entry.name)
             if not entry.guarantee.beside or entry.guarantee.beside not in case.words]  # fmt: skip
    assert max(cases) <= float(said[1]) < max(cases) + 0.01


def test_the_words_follow_the_table(monkeypatch):
    from foldwise.designs import guarantee
    from foldwise.inference.measured import MeasuredLevel

    cases = (MeasuredLevel(words="20 items in 7 clusters", n=20, rate=0.0701),
             MeasuredLevel(words="50 items in 9 unequal clusters", n=50, rate=0.04))  # fmt: skip
    monkeypatch.setattr(guarantee, "measured_levels", {"x": cases}.get)
    assert approximate().words("x") == "approximate; measured Type I error at most .08 (level .05, 20 to 50 items)"
    assert "(level .05, 7 to 9 clusters)" in approximate(counted="clusters").words("x")
    assert "at most .04 (level .05, 50 items)" in approximate(beside="7 clusters").words("x")
    assert heuristic().words("x").endswith("measured Type I error up to .08 (level .05, 2 named sources)")
    assert exact("coin flips").words("x") == "exact under coin flips"
    assert unmeasured("large samples").words("x") == "approximate; large samples"


def test_intervals_of_one_rate_have_theirs():
    assert interval_guarantee("clopper_pearson") == "exact under random sampling of items"
    assert interval_guarantee("textbook") == "approximate; measured coverage at least .63 (level .95, n = 50)"
