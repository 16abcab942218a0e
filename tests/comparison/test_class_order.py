"""The declared order of the classes, which decides ties, reaches the engine through every door."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from reference.papers_data import at_hand, data_folder
from reference.weka_folds import FOLDS, fixed_folds, transcript
from verb_options import with_options

import foldwise as fw
from foldwise.comparison import estimate_error
from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.engine import run
from foldwise.learners import create
from foldwise.resampling import KFold, RepeatedKFold

DATA = data_folder()
TIES = at_hand("balance-scale", "lymph", "zoo", "primary-tumor", "contact-lenses")


@pytest.mark.parametrize("key", TIES)
def test_compare_agrees_with_weka_fold_by_fold(key):
    """Weka's folds as groups: ten groups in ten folds are those folds, in an order of their own."""
    data = fw.load(key, data_dir=DATA)
    for ids, wanted_1nn, wanted_nb in zip(
        fixed_folds(len(data)), transcript("ibk1")[key], transcript("nb")[key], strict=True
    ):
        c = fw.compare(["1nn", "nb"], data, test="kfold_cv_t", folds=FOLDS, groups=ids)
        place = {int(ids[split.test][0]): i for i, split in enumerate(KFold(FOLDS).splits(data.y, seed=0, groups=ids))}
        counts = np.bincount(ids)
        order = [place[fold] for fold in range(FOLDS)]
        found = np.rint([np.ravel(scores)[order] * counts for scores in (c.evidence.a, c.evidence.b)])
        assert found.tolist() == [wanted_1nn.tolist(), wanted_nb.tolist()]


@pytest.mark.parametrize("key", TIES)
def test_the_command_line_gives_what_cross_predict_gives_with_the_declared_classes(key, capsys):
    from foldwise.cli.main import main

    main(["compare", "1nn", "nb", "--data", key, "--data-dir", str(DATA), "--runs", "2", "--json"])
    answer = json.loads(capsys.readouterr().out)
    data = fw.load(key, data_dir=DATA)
    ids = RepeatedKFold(2, 10).fold_ids(data.y, seed=0)
    for mean, name in zip(answer["means"].values(), ("1nn", "nb"), strict=True):
        hits = create(name).cross_predict(data.X, data.y, ids, classes=data.classes) == data.y
        folds = [hits[r, ids[r] == k].mean() for r in range(2) for k in range(10)]
        assert mean == pytest.approx(np.mean(folds), abs=1e-12)


# every attribute is constant, so that all votes are ties and the first class wins
X = Table.build(np.zeros((40, 1)))
Y = np.repeat(["no", "yes"], 20)
BACKWARDS = ["yes", "perhaps", "no"]
DATASET = fw.data.Dataset(
    X=X, y=Y, classes=tuple(BACKWARDS), name="ties", target="y", provenance="made up", hash="0" * 64
)
DOORS = {
    "classes": lambda: {"X": X, "y": Y, "classes": BACKWARDS},
    "data set": lambda: {"X": DATASET},
    "pandas Categorical": lambda: {"X": X, "y": pd.Categorical(Y, categories=BACKWARDS)},
    "pandas Series": lambda: {"X": X, "y": pd.Series(pd.Categorical(Y, categories=BACKWARDS))},
    "polars Enum": lambda: {"X": X, "y": pl.Series(Y.tolist(), dtype=pl.Enum(BACKWARDS))},
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize("plan", [KFold(5), [(np.arange(40), np.arange(40))]], ids=["kernel", "fit"])
def test_ties_go_to_the_first_declared_class(door, plan):
    given = {"y": None, **door()}
    result = run({"m": create("majority")}, **given, plan=plan)
    assert result.classes.tolist() == BACKWARDS
    assert {int(code) for row in result.outcomes[0] for code in row} == {0}
    assert result.labels(result.y).tolist() == Y.tolist()
    error = estimate_error("majority", **with_options(given), method="apparent")
    assert error.estimate == 0.5


def test_without_a_declared_order_classes_are_sorted():
    assert run({"m": create("majority")}, X, Y, KFold(5)).classes.tolist() == ["no", "yes"]
    polars_shares_its_categories = pl.Series(Y.tolist()[::-1], dtype=pl.Categorical)
    assert run({"m": create("majority")}, X, polars_shares_its_categories, KFold(5)).classes.tolist() == ["no", "yes"]


def test_a_store_keeps_orders_apart(tmp_path):
    store = tmp_path / "s.db"
    for classes, wanted in ((None, "no"), (["yes", "no"], "yes"), (["no", "yes"], "no")):
        result = run({"1nn": create("majority")}, X, Y, KFold(5), classes=classes, store=store)
        assert set(result.labels(result.outcomes[0][0])) == {wanted}
    assert result.found == 5  # the sorted order, declared or not, is one order


@pytest.mark.parametrize("scoring", ["log_loss", "brier", "auc", "neg_log_loss", "f1_macro"])
def test_scores_from_probabilities_do_not_depend_on_the_order(scoring):
    rng = np.random.default_rng(3)
    y = np.array(["ash", "elm", "oak"])[np.arange(60) % 3]
    x = rng.normal(size=(60, 2)) + (np.arange(60) % 3)[:, None]
    options = {"plan": KFold(3), "metric": scoring}
    usual = run({"nb": create("nb")}, x, y, **options).scores
    other = run({"nb": create("nb")}, x, y, classes=["oak", "ash", "elm"], **options).scores
    np.testing.assert_allclose(other, usual, rtol=1e-12)
    assert np.isfinite(run({"nb": create("nb")}, x, y, classes=["oak", "fir", "ash", "elm"], **options).scores).all()


@pytest.mark.parametrize(("given", "message"), [
    ({"X": X, "y": Y, "classes": ["yes"]}, "classes must hold every label of y, but 'no' is not among"),
    ({"X": X, "y": Y, "classes": ["yes", "no", "yes"]}, "classes must be distinct labels"),
    ({"X": X}, "y must be given unless X is a data set, but X is a Table"),
    ({"X": DATASET, "y": Y}, "y must be left out where X is a data set"),
])  # fmt: skip
def test_refusals(given, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare(["majority", "nb"], **with_options(given))
