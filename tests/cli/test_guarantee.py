"""The guarantee at the command line: that of the test that was asked for, in text, JSON and Markdown."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def labels(tmp_path):
    path = tmp_path / "labels.csv"
    rows = [f"{i % 2},{(i + (i % 7 == 0)) % 2},{(i + (i % 4 == 0)) % 2}" for i in range(60)]
    path.write_text("\n".join(["truth,a,b", *rows]))
    return path


@pytest.mark.parametrize(("test", "said"), [
    ("mcnemar", "approximate; measured Type I error at most .06 (level .05, 100 to 200 items)"),
    ("mcnemar_exact", "exact under random sampling of items"),
    ("difference_of_proportions", "heuristic; measured Type I error up to .06 (level .05, 3 named sources)"),
])  # fmt: skip
def test_the_guarantee_is_that_of_the_test(run, labels, test, said):
    code, text, _ = run("predictions", labels, "--test", test, "--details")
    assert code == 0
    assert f"Guarantee {said[0].upper()}{said[1:]}." in " ".join(text.split())
    assert "proved" not in text.lower()
    _, told, _ = run("predictions", labels, "--test", test, "--json")
    assert json.loads(told)["guarantee"] == said


def test_first_difference_and_interval_agree_for_five_by_two_t(run, tmp_path):
    path = tmp_path / "scores.csv"
    a = [0.95, 0.71, 0.70, 0.72, 0.71, 0.70, 0.69, 0.71, 0.70, 0.72]
    path.write_text("\n".join(["a,b", *(f"{x},0.7" for x in a)]))
    code, told, error = run("scores", path, "--test", "five_by_two_cv_t", "--runs", 5, "--json")
    assert code == 0, error
    c = json.loads(told)
    assert c["estimate"] == pytest.approx(0.25)  # the first of the ten, not their mean
    assert c["interval"]["low"] < c["estimate"] < c["interval"]["high"]
