"""The stored table of measured behaviour: its shape, and that a small new measurement agrees with it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from measuring import make_table, write_table
from measuring.algorithms import GROUNDS, measure_ground, verdicts
from measuring.algorithms import TESTS as ALGORITHM_TESTS
from measuring.marks import CASES, PROCEDURES, measure_many, measure_marks
from measuring.table import measure_estimators, measure_intervals
from measuring.two_learners import DEAR, DECISIONS, SOURCES, Trials, measure_source

from foldwise.comparison import METHODS
from foldwise.designs import find_procedure, procedure_names
from foldwise.designs.resampled import is_simulated
from foldwise.inference import error_interval
from foldwise.inference.error_rates import INTERVAL_METHODS
from foldwise.inference.measured import FILE, behaviour, in_words, measured_rows, measured_table, sources
from foldwise.lab.gather import Resources
from foldwise.lab.populations import find_population
from foldwise.lab.populations.two_kinds import TwoKinds

TABLE = measured_table()


@pytest.fixture
def small_blocks(monkeypatch):
    """No more trials than are asked for: those of learners come in blocks of 25, of simulated ones in blocks of 500.

    Learners' trials are the same in blocks of any size.
    """
    monkeypatch.setattr("foldwise.lab.gather.BLOCK", 10)
    monkeypatch.setattr(TwoKinds, "block", 20)


def shares():
    parts = (TABLE[name]["rows"] for name in ("many", "marks", "metrics", "verbs"))
    for row in (*TABLE["two_learners"], *(row for rows in parts for row in rows)):
        for key in ("type1", "power", "coverage_share", "margin_share", "consistent_null", "consistent_effect"):
            if key in row:
                yield row, key, row[key]


def far(share, rate, trials):
    """Whether another measurement differs by more than four standard errors of both."""
    pooled = (share["rate"] * share["trials"] + rate * trials) / (share["trials"] + trials)
    error = np.sqrt(max(pooled * (1 - pooled), 1e-6) * (1 / share["trials"] + 1 / trials))
    return abs(share["rate"] - rate) > 4 * error + 1e-4  # stored rates have four digits


def test_the_stamp_says_how_it_was_made():
    stamp = TABLE["stamp"]
    assert stamp["made by"] == "python benchmarks/measuring"
    assert stamp["trials"]["type1"] >= 1000
    assert (stamp["alpha"], stamp["design"]["n"]) == (0.05, 300)
    assert isinstance(stamp["seed"], int)


def test_every_test_was_measured_on_every_source():
    expected = {(source.key, name) for source in SOURCES for name in DECISIONS}
    rows = [(row["source"], row["test"]) for row in TABLE["two_learners"]]
    assert sorted(rows) == sorted(expected)
    reachable = {name for name in procedure_names() if is_simulated(find_procedure(name).kind)}
    assert reachable <= set(DECISIONS) | set(DEAR) | {row["test"] for row in TABLE["marks"]["rows"]}


def test_sources_are_those_of_the_generator_and_can_be_drawn():
    assert list(sources()) == [source.key for source in SOURCES]
    for mine, stored in zip(SOURCES, sources().values(), strict=True):
        assert (mine.null, mine.effect, mine.learners) == (stored.null, stored.effect, stored.learners)
        for spec in (stored.null, stored.effect):
            find_population(spec)
        assert abs(stored.difference) > 0.03


def test_every_share_lies_in_its_interval_and_has_its_trials():
    seen = list(shares())
    assert len(seen) > 300
    for row, key, share in seen:
        assert 0 <= share["low"] <= share["rate"] <= share["high"] <= 1, (row, key)
        limits = error_interval(round(share["rate"] * share["trials"]), share["trials"], method="wilson")
        assert share["low"] == pytest.approx(float(limits.low), abs=1e-4)
        assert share["high"] == pytest.approx(float(limits.high), abs=1e-4)


def test_replicability_is_measured_where_there_is_something_to_partition():
    for row in TABLE["two_learners"]:
        assert ("consistent_null" in row) == sources()[row["source"]].resampled


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.key)
def test_a_small_new_measurement_agrees(source, monkeypatch):
    monkeypatch.setattr("measuring.two_learners.REPETITIONS", 2)  # two suffice to see that it is measured
    repeated = source.resampled and source.key != "nb-c45"  # trees are dear
    amounts = Trials(type1=40, power=40, consistent=10)
    found = measure_source(replace(source, resampled=repeated), trials=amounts, seed=77)
    for row in found["rows"]:
        assert ("consistent_null" in row) == repeated
        (stored,) = [r for r in measured_rows(row["test"]) if r.get("source") == source.key]
        assert row["fits"] == stored["fits"]
        for key in ("type1", "power"):
            assert not far(stored[key], row[key]["rate"], 40), (row["test"], key)


def test_known_truths_are_in_the_table():
    rates = {(row["test"], row["source"]): row["type1"] for row in TABLE["two_learners"]}
    for source in sources():
        assert rates["resampled_t", source]["low"] > 0.05
        assert rates["mcnemar_exact", source]["low"] < 0.05
        assert rates["mcnemar_exact", source]["rate"] <= rates["mcnemar", source]["rate"]
    assert rates["use_all_data", "nb-c45"]["low"] > 0.3
    assert rates["corrected_repeated_cv_t", "nb-c45"]["low"] < 0.05


def test_the_coverage_of_intervals_is_exact():
    assert TABLE["intervals"] == measure_intervals()
    assert {row["method"] for row in TABLE["intervals"]} == set(INTERVAL_METHODS)
    row = next(r for r in TABLE["intervals"] if r["method"] == "clopper_pearson" and r["rate"] == 0.1)
    rng = np.random.default_rng(5)
    errors = rng.binomial(row["n"], 0.1, size=20_000)
    limits = error_interval(errors, row["n"], method="clopper_pearson")
    assert np.mean((limits.low <= 0.1) & (limits.high >= 0.1)) == pytest.approx(row["coverage"], abs=0.006)


def test_exact_intervals_never_cover_less_than_they_promise():
    assert min(row["coverage"] for row in TABLE["intervals"] if row["method"] == "clopper_pearson") >= 0.95


def test_every_error_estimator_was_measured_and_a_new_measurement_agrees():
    stored = TABLE["estimators"]
    assert {row["method"] for row in stored["rows"]} == set(METHODS)
    found = measure_estimators(trials=6, seed=5)
    for old, new in zip(stored["rows"], found["rows"], strict=True):
        assert (old["method"], old["learner"]) == (new["method"], new["learner"])
        error = old["spread"] / np.sqrt(6) + old["bias_error"]
        assert abs(old["bias"] - new["bias"]) < 5 * error
    apparent = next(row for row in stored["rows"] if (row["method"], row["learner"]) == ("apparent", "1nn"))
    assert apparent["bias"] < -0.2


def test_every_procedure_over_data_sets_was_measured_and_a_new_measurement_agrees():
    stored = TABLE["many"]
    assert [row["test"] for row in stored["rows"]] == list(PROCEDURES)
    found = measure_many(tables=40, seed=5)
    for old, new in zip(stored["rows"], found["rows"], strict=True):
        for key in ("type1", "power"):
            assert not far(old[key], new[key]["rate"], 40), (old["test"], key)


def test_tests_of_marks_were_measured_and_a_new_measurement_agrees():
    stored = TABLE["marks"]["rows"]
    expected = [(test, case.title) for case in CASES for test in case.tests]
    assert [(row["test"], row["case"]) for row in stored] == expected
    for old, new in zip(stored, measure_marks(trials=200, seed=5)["rows"], strict=True):
        for key in ("type1", "power", "coverage_share"):
            assert not far(old[key], new[key]["rate"], 200), (old["test"], old["case"], key)


def test_tests_of_marks_keep_their_level_where_they_should():
    for row in TABLE["marks"]["rows"]:
        broken = row["test"] == "paired_t" and "cluster" in row["case"]
        if broken or "skewed" in row["case"] or "differ much" in row["case"]:
            continue  # the pages say of these that they do not
        error = np.sqrt(0.05 * 0.95 / row["type1"]["trials"])
        assert row["type1"]["rate"] < 0.05 + 3.3 * error, row  # one in a thousand by chance
        assert row["coverage_share"]["rate"] > 0.95 - 3.3 * error, row
    assert "5 seeds" in in_words("crossed")


@pytest.mark.usefixtures("small_blocks")
def test_the_same_seed_makes_the_same_table_whoever_computes_it(tmp_path, monkeypatch):
    monkeypatch.setattr("measuring.table.SOURCES", SOURCES[:1])
    monkeypatch.setattr("measuring.metrics.LARGE", 500)
    monkeypatch.setattr("measuring.metrics.metric_names", lambda: ("accuracy", "error", "f1", "roc_auc"))
    options = {
        "trials": Trials(type1=20, power=20, consistent=10),
        "estimator_trials": 2,
        "tables": 4,
        "mark_trials": 10,
        "data_sets": 2,
        "grounds": (),
        "seed": 3,
    }
    first = make_table(**options)
    assert make_table(**options) == first
    write_table(tmp_path / "table.json", first)
    text = (tmp_path / "table.json").read_text(encoding="utf-8")
    assert json.loads(text) == first
    assert len(text.splitlines()) > len(first["two_learners"])


def test_the_file_is_as_the_generator_writes_it(tmp_path):
    write_table(tmp_path / "again.json", TABLE)
    assert (tmp_path / "again.json").read_text(encoding="utf-8") == FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("ground", GROUNDS, ids=lambda ground: ground.key)
def test_null_hypotheses_of_algorithms_hold_exactly_or_by_damage(ground):
    null, effect = (str(find_population(spec).null) for spec in (ground.null, ground.effect))
    assert ground.equalised or (null in ("exact", "random_folds") and effect not in ("exact", "random_folds"))


def test_every_test_of_algorithms_was_measured_on_each_ground_of_the_table_that_has_its_evidence():
    stored = TABLE["algorithms"]
    known = {ground.key: ground for ground in GROUNDS}
    cells = {(row["ground"], row["test"]): row for row in stored["rows"]}
    for place in stored["grounds"]:
        ground = known[place["key"]]
        population = find_population(ground.null)
        assert (place["null"], place["learner"], place["n"]) == (ground.null, " and ".join(ground.learners), ground.n)
        for name in ALGORITHM_TESTS:
            wanted = name in ground.tests and population.draws(find_procedure(name).kind)
            assert ((ground.key, name) in cells) == wanted
        row = cells[ground.key, "round_robin"]
        assert list(row["type1"]) == ["0.01", "0.05", "0.1"]
        rates = [share["rate"] for share in row["type1"].values()]
        assert rates == sorted(rates)
        assert {share["trials"] for share in row["type1"].values()} == {ground.trials}
        assert row["trainings"] == 90


def test_a_small_measurement_of_a_ground_agrees_and_goes_on_in_its_store(tmp_path):
    ground = replace(GROUNDS[0], trials=25, others=25, again=0)
    resources = Resources(store=tmp_path / "r.db", progress=False)
    first = measure_ground(ground, seed=5, resources=resources)
    assert measure_ground(ground, seed=5, resources=resources) == first
    for row in first:
        (stored,) = [r for r in TABLE["algorithms"]["rows"] if (r["ground"], r["test"]) == (ground.key, row["test"])]
        assert not far(stored["type1"]["0.05"], row["type1"]["0.05"]["rate"], 25)


def test_ten_people_who_let_it_add_dealings_come_to_verdicts():
    rejected, settled, trainings = verdicts(
        find_population("symmetric-halves(difference=0.5)"), "nb", 24, 1, seed=3, resources=None
    )
    assert rejected.shape == trainings.shape == (1, 10)
    assert set(rejected.ravel()) | set(settled.ravel()) <= {0, 1}
    assert (trainings % 15 == 0).all()
    assert trainings.min() >= 90


def test_words_name_the_figures():
    assert "0.02, 0.1, 0.3" in in_words("jeffreys")
    assert in_words("kfold").startswith("bias ")
    assert "Type I error at 0.05" in in_words("wilcoxon_signed_rank")
    assert in_words("something else") is None
    assert behaviour("something else") == ()


def test_reading_the_table_does_not_load_the_lab():
    code = "import sys, foldwise.inference.measured as m; m.sources(); print('foldwise.lab' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
