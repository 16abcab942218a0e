"""Two, three and more learners compared by several scorings from one set of fits, on one data set and on several."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = np.where(X[:, 0] + RNG.normal(size=60) > 0, "yes", "no")
SCORINGS = ["roc_auc", "f1", "accuracy", "log_loss"]
PLAN = {"runs": 2, "folds": 3}


class Counted(GaussianNB):
    """Naive Bayes that counts its trainings."""

    fits = 0

    def fit(self, X, y):
        """Fit as always."""
        Counted.fits += 1
        return super().fit(X, y)


@pytest.fixture(scope="module")
def several():
    return fw.compare(["gnb", "dummy"], X, Y, metric=SCORINGS, **PLAN)


def test_each_row_is_what_that_scoring_alone_gives(several):
    for place, name in enumerate(SCORINGS):
        alone = fw.compare(["gnb", "dummy"], X, Y, metric=name, **PLAN)
        said = set(several.parts[place].caveats) - {"the positive class is yes"}  # which one of them needs
        assert said == set(alone.caveats) - {"the positive class is yes"}
        found = several.to_dict()["by_metric"][place]
        expected = {**alone.to_dict(), "notes": found["notes"]}
        expected = {key: expected[key] for key in found}
        share = {"limits_alpha": 0.05 / len(SCORINGS)}  # conclusions about a margin would hold together
        assert found == {**expected, **share, "settings": {**expected["settings"], **share}}


def test_pvalues_are_adjusted_by_holm_unless_told_otherwise(several):
    raw = [c.pvalue for c in several.parts]
    assert several.adjusted == pytest.approx(fw.inference.adjust(raw).tolist())
    plain = fw.compare(["gnb", "dummy"], X, Y, metric=SCORINGS[:2], **PLAN, options=fw.Options(adjust_metrics="none"))
    assert plain.adjusted == tuple(c.pvalue for c in plain.parts)
    assert "not adjusted" in str(plain)
    assert "Holm-adjusted for 4" in str(several)


def test_one_set_of_fits_serves_all_scorings():
    Counted.fits = 0
    fw.compare([Counted(), "dummy"], X, Y, metric=SCORINGS, **PLAN)
    assert Counted.fits == 6


def test_the_store_keeps_every_score(tmp_path):
    path = tmp_path / "s.sqlite"
    first = fw.compare(["gnb", "dummy"], X, Y, metric=SCORINGS, options=fw.Options(store=path), **PLAN)
    again = fw.compare(["gnb", "dummy"], X, Y, metric=SCORINGS[::-1], options=fw.Options(store=path), **PLAN)
    alone = fw.compare(["gnb", "dummy"], X, Y, metric="log_loss", options=fw.Options(store=path), **PLAN)
    assert [c.found for c in again.parts] == [12] * 4
    assert alone.found == 12
    assert [c.means for c in again.parts[::-1]] == [c.means for c in first.parts]
    new = fw.compare(["gnb", "dummy"], X, Y, metric=["f1", "recall"], options=fw.Options(store=path), **PLAN)
    assert new["recall"].found == 12  # predictions suffice


def test_replicates_are_counted_for_each_scoring():
    m = fw.compare(["gnb", "dummy"], X, Y, metric=["accuracy", "f1"], runs=1, folds=3, options=fw.Options(replicate=2))
    assert [len(c.replicability.verdicts) for c in m.parts] == [2, 2]


def test_a_list_of_one_is_a_list(several):
    assert len(fw.compare(["gnb", "dummy"], X, Y, metric=["f1"], **PLAN)) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": []}, r"metric must be a name, a function, or a list of at least one of them, got \[\]"),
        ({"metric": ["f1", None]}, "metric must list names and functions, got None"),
        ({"metric": ["f1", "f1"]}, "but 'f1' is there more than once"),
        ({"metric": ["accuracy", "f1"], "test": "mcnemar"}, "metric must be 'accuracy' for test 'mcnemar'"),
        (
            {"metric": ["f1", "recall"], "adjust_metrics": "bonferroni"},
            "adjust_metrics must be 'holm' or 'none' for 2",
        ),
    ],
)
def test_bad_lists_are_one_sentence(options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare(["gnb", "dummy"], X, Y, **with_options({**PLAN, **options}))


def test_on_the_command_line(capsys):
    from foldwise.cli.main import main

    main(["compare", "gnb", "dummy", "--data", "sklearn:breast_cancer", "--metric", "roc_auc,accuracy", "--runs", "1",
          "--folds", "3", "--json"])  # fmt: skip
    answer = json.loads(capsys.readouterr().out)
    assert [row["metric"] for row in answer["by_metric"]] == ["roc_auc", "accuracy"]
    assert answer["adjust_metrics"] == "holm"
    main(["compare", "gnb", "dummy", "tree", "--data", "sklearn:iris", "--metric", "f1_macro,accuracy", "--runs", "1",
          "--folds", "3", "--unadjusted"])  # fmt: skip
    assert "2 metrics, each at level 0.05, not adjusted for their number" in capsys.readouterr().out
    main(["compare", "gnb", "dummy", "--data", "sklearn:iris,sklearn:wine", "--metric", "f1_macro,accuracy", "--runs",
          "1", "--folds", "3", "--json"])  # fmt: skip
    answer = json.loads(capsys.readouterr().out)
    assert (answer["tasks"], answer["adjust_metrics"]) == (["iris", "wine"], "bonferroni")
    assert [row["alpha"] for row in answer["by_metric"]] == [0.025, 0.025]


LEARNERS = {"nb": "gnb", "guess": "dummy", "tree": "tree"}


def without_caveats(c):
    return {**c._content(), "caveats": None}


def test_three_learners_by_several_scorings_are_three_learners_by_each_at_its_share_of_the_level():
    names = ["roc_auc", "f1", "log_loss"]
    m = fw.compare(LEARNERS, X, Y, metric=names, options=fw.Options(control="guess"), **PLAN)
    for c, name in zip(m.parts, names, strict=True):
        alone = fw.compare(LEARNERS, X, Y, metric=name, options=fw.Options(control="guess"), alpha=0.05 / 3, **PLAN)
        assert without_caveats(c) == without_caveats(alone.parts[0])
    whole = fw.compare(LEARNERS, X, Y, metric=names[:2], **PLAN, options=fw.Options(adjust_metrics="none", replicate=2))
    assert {c.alpha for c in whole.parts} == {whole.alpha} == {0.05}
    assert {len(pair.replicability.verdicts) for c in whole.parts for pair in c.pairs} == {2}
    assert "no learner is shown" in str(whole).lower()
    with pytest.raises(InvalidInput, match="adjust_metrics must be 'bonferroni' or 'none' for 3 models, got 'holm'"):
        fw.compare(LEARNERS, X, Y, metric=names, **PLAN, options=fw.Options(adjust_metrics="holm"))


def test_one_set_of_fits_serves_all_scorings_of_three_learners():
    Counted.fits = 0
    fw.compare({**LEARNERS, "nb": Counted()}, X, Y, metric=SCORINGS, **PLAN)
    assert Counted.fits == 6


def test_learners_over_data_sets_by_several_scorings_are_those_by_each():
    sets = [fw.load("sklearn:iris"), fw.load("sklearn:wine")]
    options = {"runs": 1, "folds": 3, "control": "nb"}
    m = fw.compare(LEARNERS, sets, metric=["accuracy", "log_loss"], **with_options(options))
    for c, name in zip(m.parts, m.metrics, strict=True):
        alone = fw.compare(LEARNERS, sets, metric=name, alpha=0.025, **with_options(options))
        assert without_caveats(c) == without_caveats(alone.parts[0])
    assert len(m.claims()) == len(m.to_frame()) == 4
    assert m.control == "nb"
    assert "3 learners on 2 data sets" in str(m)


def test_runs_are_added_until_the_verdict_by_every_scoring_is_settled():
    options = {"runs": "auto", "folds": 3, "max_runs": 40}
    m = fw.compare(["gnb", "dummy"], X, Y, metric=["f1", "log_loss"], **with_options(options))
    runs = {len(c.evidence.a) for c in m.parts}
    alone = [
        len(fw.compare(["gnb", "dummy"], X, Y, metric=name, **with_options(options)).evidence.a) for name in m.metrics
    ]
    assert len(runs) == 1
    assert runs.pop() >= max(alone)
    assert all(any("settled" in said or "depends" in said for said in c.caveats) for c in m.parts)
