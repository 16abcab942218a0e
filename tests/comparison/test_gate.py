"""Gates in Python: their level, their identities, and what they say would decide."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foldwise as fw
from foldwise.comparison.gates import Gate, gate, level_of_look, not_worse
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result

marks = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=20, max_size=120)


def columns(rows):
    return [[float(row[place]) for row in rows] for place in (0, 1)]


@given(marks, st.sampled_from(["1pt", "5pt", "20pt"]))
def test_a_gate_is_what_the_comparison_concludes(rows, margin):
    new, old = columns(rows)
    found = not_worse(new, old, margin=margin, metric="accuracy")
    concluded = fw.compare_predictions(None, {"new": new, "old": old}, metric="accuracy", margin=margin,
                                       candidate="new", baseline="old").conclusion  # fmt: skip
    wanted = {"inferior": "failed", "undecided": "inconclusive"}.get(concluded, "passed")
    assert found.finding == wanted
    assert bool(found) == (found.exit_code == 0) == (wanted == "passed")


@given(marks, st.sampled_from(["1pt", "5pt"]))
def test_errors_give_the_same_finding_as_right_answers(rows, margin):
    new, old = columns(rows)
    errors = [[1 - mark for mark in marks] for marks in (new, old)]
    as_errors = not_worse(*errors, margin=margin, metric="error", higher_is_better=False)
    assert as_errors.finding == not_worse(new, old, margin=margin, metric="accuracy").finding


@given(marks)
def test_a_larger_margin_never_closes_the_gate(rows):
    new, old = columns(rows)
    order = {"failed": 0, "inconclusive": 1, "passed": 2}
    found = [order[not_worse(new, old, margin=m, metric="accuracy").finding] for m in (0.01, 0.05, 0.2, 0.5)]
    assert found == sorted(found)


def test_a_model_as_much_worse_as_the_margin_passes_with_the_level_at_most():
    rng = np.random.default_rng(5)
    studies, n = 300, 300
    passed = 0
    for _ in range(studies):
        old = rng.random(n) < 0.8
        new = np.where(rng.random(n) < 0.3, rng.random(n) < 0.8 - 0.05 / 0.3, old)  # 5 points worse, correlated
        passed += bool(not_worse(new.astype(float), old.astype(float), margin="5pt", metric="accuracy"))
    assert passed / studies < 0.05 + 3 * np.sqrt(0.05 * 0.95 / studies)


def test_any_of_many_looks_passes_a_model_at_the_margin_with_the_level_at_most(tmp_path):
    rng = np.random.default_rng(7)
    histories, nights, n = 30, 4, 200
    ever = 0
    for history in range(histories):
        found = []
        for night in range(nights):
            old = rng.random(n) < 0.8
            new = np.where(rng.random(n) < 0.5, rng.random(n) < 0.7, old)
            for name, right in (("new", new), ("old", old)):
                rows = "\n".join(f"q{i},{int(mark)}" for i, mark in enumerate(right))
                (tmp_path / f"{name}.csv").write_text(f"item,correct\n{rows}\n")
            one = gate(candidate=tmp_path / "new.csv", baseline=tmp_path / "old.csv", margin="5pt",
                       history=tmp_path / f"{history}.jsonl")  # fmt: skip
            assert one.look.number == night + 1
            found.append(bool(one))
        ever += any(found)
    assert ever / histories < 0.05 + 3 * np.sqrt(0.05 * 0.95 / histories)


def test_levels_of_looks_add_up_to_the_level():
    assert sum(level_of_look(k, 0.05) for k in range(1, 10_000)) == pytest.approx(0.05, rel=1e-3)
    assert sum(level_of_look(k, 0.05) for k in range(1, 10_000)) < 0.05


def test_as_many_items_as_are_named_decide_in_four_of_five_studies():
    """The 80 % is a promise about studies in which the difference is what it was."""
    rng = np.random.default_rng(3)
    old = np.arange(300) % 10 < 8
    new = np.where(np.arange(300) % 30 == 0, ~old, old)
    found = not_worse(new.astype(float), old.astype(float), margin="4pt", metric="accuracy")
    assert found.finding == "inconclusive"
    times = float(found.needed.split()[1])
    pairs = np.stack([new, old]).astype(float)
    decided = []
    for _ in range(120):
        drawn = pairs[:, rng.integers(300, size=int(300 * times))]
        decided.append(not_worse(*drawn, margin="4pt", metric="accuracy").finding != "inconclusive")
    assert 0.7 < np.mean(decided) < 0.92


def test_as_many_items_as_are_named_show_who_is_better_in_four_of_five_studies():
    rng = np.random.default_rng(5)
    old = np.arange(300) % 10 < 8
    new = np.where(np.arange(300) % 20 == 0, ~old, old) | (np.arange(300) % 30 == 9)

    def asked(marks):
        frame = {"item": range(marks.shape[1]), "new": marks[0], "old": marks[1]}
        return gate(pd.DataFrame(frame), candidate="new", baseline="old", fail_if=["not-better"])

    pairs = np.stack([new, old]).astype(float)
    found = asked(pairs)
    assert found.finding == "inconclusive"
    times = float(found.needed.split()[1])
    decided = [asked(pairs[:, rng.integers(300, size=int(300 * times))]).finding != "inconclusive" for _ in range(60)]
    assert 0.65 < np.mean(decided) < 0.95


def test_a_gate_is_kept_as_json_and_shown_again():
    found = not_worse([1.0] * 95 + [0.0] * 5, [1.0] * 94 + [0.0] * 6, margin="10pt", metric="accuracy")
    kept = json.loads(json.dumps(found.to_dict()))
    again = Result.from_dict(kept)
    assert again.to_dict() == kept
    assert fw.Comparison.from_dict(kept["answer"]).conclusion == found.answer.conclusion
    assert repr(found).startswith("<Gate passed: new is shown not to be worse than old by more than 10 points")
    assert "Gate passed" in found.to_html()
    assert isinstance(found, Gate)


def test_marks_and_files_can_not_be_mixed(tmp_path):
    with pytest.raises(InvalidInput, match="both be files, or both be marks"):
        not_worse([1, 0], tmp_path / "old.csv", margin="1pt")


def test_marks_by_item_are_joined_by_their_names():
    new, old = (
        {f"q{i}": float(i % 5 > 0) for i in range(200)},
        {f"q{i}": float(i % 5 > 0) for i in reversed(range(200))},
    )
    assert not_worse(new, old, margin="5pt", metric="accuracy")


def test_a_gate_looks_at_every_task_and_names_the_one_that_fails(tmp_path):
    shares = {"easy": (0.9, 0.7), "hard": (0.4, 0.9), "mid": (0.8, 0.8)}
    for place, name in enumerate(("new", "old")):
        rows = [
            f"{task}{i},{task},{int(i % 10 < 10 * share[place])}" for task, share in shares.items() for i in range(120)
        ]
        (tmp_path / f"{name}.csv").write_text("item,task,correct\n" + "\n".join(rows) + "\n")
    found = gate(candidate=tmp_path / "new.csv", baseline=tmp_path / "old.csv", margin="5pt")
    assert found.finding == "failed"
    assert "on hard" in found.reason
    assert "on easy" not in found.reason
    claims = {claim.task: claim.conclusion for claim in found.claims()}
    assert (claims["hard"], claims["easy"]) == ("inferior", "superior")
