"""Two learners compared by several scorings from one set of fits."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

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
    return fw.compare("gnb", "dummy", X, Y, scoring=SCORINGS, **PLAN)


def test_each_row_is_what_that_scoring_alone_gives(several):
    for place, name in enumerate(SCORINGS):
        alone = fw.compare("gnb", "dummy", X, Y, scoring=name, **PLAN)
        said = set(several.comparisons[place].caveats) - {"the positive class is yes"}  # which one of them needs
        assert said == set(alone.caveats) - {"the positive class is yes"}
        assert several.comparisons[place].to_dict() == {
            **alone.to_dict(),
            "caveats": list(several.comparisons[place].caveats),
        }


def test_pvalues_are_adjusted_by_holm_unless_told_otherwise(several):
    raw = [c.pvalue for c in several.comparisons]
    assert several.adjusted == pytest.approx(fw.inference.adjust(raw).tolist())
    plain = fw.compare("gnb", "dummy", X, Y, scoring=SCORINGS[:2], adjust="none", **PLAN)
    assert plain.adjusted == tuple(c.pvalue for c in plain.comparisons)
    assert "not adjusted" in str(plain)
    assert "Holm-adjusted for 4" in str(several)


def test_one_set_of_fits_serves_all_scorings():
    Counted.fits = 0
    fw.compare(Counted(), "dummy", X, Y, scoring=SCORINGS, **PLAN)
    assert Counted.fits == 6


def test_the_store_keeps_every_score(tmp_path):
    path = tmp_path / "s.sqlite"
    first = fw.compare("gnb", "dummy", X, Y, scoring=SCORINGS, store=path, **PLAN)
    again = fw.compare("gnb", "dummy", X, Y, scoring=SCORINGS[::-1], store=path, **PLAN)
    alone = fw.compare("gnb", "dummy", X, Y, scoring="log_loss", store=path, **PLAN)
    assert [c.found for c in again.comparisons] == [12] * 4
    assert alone.found == 12
    assert [c.means for c in again.comparisons[::-1]] == [c.means for c in first.comparisons]
    new = fw.compare("gnb", "dummy", X, Y, scoring=["f1", "recall"], store=path, **PLAN)
    assert new["recall"].found == 12  # predictions suffice


def test_replicates_are_counted_for_each_scoring():
    m = fw.compare("gnb", "dummy", X, Y, scoring=["accuracy", "f1"], runs=1, folds=3, replicate=2)
    assert [len(c.replicability.verdicts) for c in m.comparisons] == [2, 2]


def test_a_list_of_one_is_a_list(several):
    assert len(fw.compare("gnb", "dummy", X, Y, scoring=["f1"], **PLAN)) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scoring": []}, r"scoring must be a name, a function, or a list of at least one of them, got \[\]"),
        ({"scoring": ["f1", None]}, "scoring must list names and functions, got None"),
        ({"scoring": ["f1", "f1"]}, "but 'f1' is there more than once"),
        ({"scoring": ["f1", "recall"], "runs": "auto"}, "give one scoring"),
        ({"scoring": ["accuracy", "f1"], "test": "mcnemar"}, "scoring must be 'accuracy' for test 'mcnemar'"),
        ({"scoring": ["f1", "recall"], "adjust": "bonferroni"}, "unknown adjust 'bonferroni'"),
    ],
)
def test_bad_lists_are_one_sentence(options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare("gnb", "dummy", X, Y, **{**PLAN, **options})


def test_on_the_command_line(capsys):
    from foldwise.cli.main import main

    main(["compare", "gnb", "dummy", "--data", "sklearn:breast_cancer", "--scoring", "roc_auc,accuracy", "--runs", "1",
          "--folds", "3", "--json"])  # fmt: skip
    answer = json.loads(capsys.readouterr().out)
    assert [row["metric"] for row in answer["metrics"]] == ["roc_auc", "accuracy"]
    assert answer["adjust"] == "holm"
    with pytest.raises(SystemExit):
        main(["compare", "gnb", "dummy", "nb", "--data", "sklearn:iris", "--scoring", "f1_macro", "accuracy"])
    assert "several --scoring are for two learners on one data set" in capsys.readouterr().err
