"""Frames and arrays follow the rule of files: no identifiers, no dates, numbers in any spelling, unless asked for."""

from __future__ import annotations

import warnings
from itertools import permutations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import HistGradientBoostingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.data import dataset_from_frame

N = 60
RNG = np.random.default_rng(3)
Y = np.arange(N) % 2
FRAME = pd.DataFrame({
    "size": RNG.normal(size=N) + Y,
    "price": np.round(RNG.normal(size=N) * 9 + 40 + 5 * Y, 2),
    "colour": np.where(RNG.random(N) < 0.3, "green", np.where(Y == 1, "red", "blue")),
}, index=RNG.permutation(N) + 1000)  # fmt: skip
DAYS = pd.date_range("2024-01-01", periods=N)
NO_ATTRIBUTES = {
    "customer_id": np.arange(N),
    "order key": RNG.permutation(N) + 10_000,
    "comment": [f"text number {i}" for i in range(N)],
    "signup": DAYS,
    "local": DAYS.tz_localize("Europe/Berlin"),
    "day": DAYS.date,
    "iso": DAYS.strftime("%Y-%m-%d"),
    "german": DAYS.strftime("%d.%m.%Y"),
}
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
LR = LogisticRegression()


def compared(X, a="nb", b=TREE, names=None, **options):
    models = [a, b] if names is None else dict(zip(names, (a, b), strict=True))
    return fw.compare(models, X, Y, runs=2, folds=3, **with_options(options))


def numbers(c):
    return (c.pairs[0].means, c.estimate, c.pvalue, c.interval, c.fits)


def said(c):
    return [caveat for caveat in c.caveats if caveat.startswith("column ")]


PLAIN = numbers(compared(FRAME))


@settings(max_examples=15)
@given(
    order=st.sampled_from(list(permutations(FRAME))),
    name=st.sampled_from(sorted(NO_ATTRIBUTES)),
    place=st.integers(0, 3),
    rows=st.permutations(range(N)),
)
def test_an_identifier_or_date_changes_no_number_wherever_it_stands(order, name, place, rows):
    frame = FRAME[list(order)]
    frame.insert(place, name, pd.Series(NO_ATTRIBUTES[name], index=FRAME.index).iloc[list(rows)].to_numpy())
    before = list(frame)
    c = compared(frame)
    assert numbers(c) == numbers(compared(FRAME[list(order)]))
    assert [caveat.partition(":")[0] for caveat in said(c)] == [f"column {name!r} left out"]
    assert list(frame) == before


@given(order=st.sampled_from(list(permutations(FRAME))))
def test_the_order_of_the_columns_changes_no_number(order):
    assert numbers(compared(FRAME[list(order)], b="majority")) == numbers(compared(FRAME, b="majority"))


@pytest.mark.parametrize("maker", [pd.DataFrame, lambda f: pl.from_pandas(f), lambda f: pl.from_pandas(f).to_arrow()])
def test_whatever_package_the_frame_is_of_and_at_every_door(maker):
    frame = maker(FRAME.assign(customer_id=np.arange(N), signup=DAYS))
    assert numbers(compared(frame)) == PLAIN
    many = fw.compare(["nb", TREE, "majority"], frame, Y, runs=2, folds=3)
    assert tuple(many.means.values())[:2] == PLAIN[0]
    error = fw.estimate_error("nb", frame, Y, folds=3)
    assert error.estimate == fw.estimate_error("nb", FRAME, Y, folds=3).estimate
    for caveats in (many.caveats, error.caveats):
        found = " ".join(caveats)
        assert "column 'customer_id' left out: an identifier (by its name; keep=['customer_id']" in found
        assert "column 'signup' left out: a date (assumed; keep=['signup']" in found


def test_a_frame_becomes_the_data_set_that_its_file_is(tmp_path):
    frame = FRAME.assign(customer_id=np.arange(N), signup=DAYS, share=[f"{i},5" for i in range(N)], y=Y)
    frame.to_csv(tmp_path / "f.csv", index=False)
    frame.to_parquet(tmp_path / "f.parquet", index=False)
    read = [dataset_from_frame(frame), fw.load(tmp_path / "f.csv"), fw.load(tmp_path / "f.parquet")]
    assert {data.hash for data in read} == {read[0].hash}
    assert read[0].feature_names == ("size", "price", "colour", "share")
    assert read[0].feature_kinds == ("numeric", "numeric", "nominal", "numeric")
    kept = dataset_from_frame(frame, keep=["customer_id"], drop=["share"], groups="colour")
    assert kept.feature_names == ("size", "price", "customer_id")
    assert [one.value for one in kept.decisions] == ["column 'signup' left out: a date"]


def test_keep_keeps_them_and_is_said_no_more():
    frame = FRAME.assign(customer_id=np.where(Y == 1, 1000, 0) + np.arange(N), signup=DAYS)
    c = compared(frame, keep=["customer_id"])
    assert c.pairs[0].means[1] == 1  # the tree reads the class off the numbers
    assert [caveat.partition(":")[0] for caveat in said(c)] == ["column 'signup' left out"]
    assert said(compared(frame, keep=["customer_id", "signup"])) == []
    many = fw.compare(["nb", TREE], frame, Y, runs=2, folds=3, options=fw.Options(keep=["customer_id"]))
    assert list(many.means.values())[1] == 1
    assert fw.estimate_error(TREE, frame, Y, folds=3, options=fw.Options(keep=["customer_id"])).estimate == 0


def test_decimal_commas_are_numbers():
    text = FRAME.assign(price=[f"{value:.2f}".replace(".", ",") for value in FRAME["price"]])
    first = text["price"].min()
    for X in (text, pl.from_pandas(text), text.to_numpy()):
        c = compared(X)
        assert numbers(c) == PLAIN
        name = "x1" if isinstance(X, np.ndarray) else "price"
        assert said(c)[0].startswith(
            f"column {name!r} read as numbers, {first!r} as {first.replace(',', '.')} (assumed;"
        )
    typed = text.astype({"price": "category"})
    assert "read as numbers" not in " ".join(said(compared(typed, keep=["price"])))
    codes = FRAME.assign(code=[str(i % 4) for i in range(N)])
    assert said(compared(codes)) == []  # text of plain numbers was made so on purpose
    with pytest.raises(InvalidInput, match=r"X: column 'price' has '1,234', in which the comma may stand"):
        compared(FRAME.assign(price=["1,234", "5,678"] * (N // 2)))


SCALED = ("scaled", StandardScaler(), ["size"])


def piped(*steps):
    return make_pipeline(ColumnTransformer(list(steps)), LR)


WHOLE = FRAME.assign(customer_id=np.arange(N) * 1.0, signup=DAYS)
BY_NAME = {
    "list": piped(SCALED, ("id", StandardScaler(), ["customer_id"])),
    "one": piped(SCALED, ("id", FunctionTransformer(lambda s: s.to_numpy()[:, None]), "customer_id")),
    "slice": piped(SCALED, ("id", StandardScaler(), slice("customer_id", "customer_id"))),
    "pattern": piped(SCALED, ("id", StandardScaler(), make_column_selector(pattern="_id$"))),
    "dropped": piped(SCALED, ("id", "drop", ["customer_id"])),
    "search": GridSearchCV(piped(SCALED, ("id", StandardScaler(), ["customer_id"])), {}, cv=2),
    "vote": VotingClassifier([("a", piped(SCALED, ("id", StandardScaler(), ["customer_id"]))), ("b", piped(SCALED))]),
    "categories": HistGradientBoostingClassifier(max_iter=2, categorical_features=["customer_id"]),
}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_column_that_a_learner_selects_by_name_stays(name):
    frame = WHOLE.drop(columns="colour") if name == "categories" else WHOLE
    found = said(compared(frame, a=BY_NAME[name], names=("mine", "tree")))
    assert found[0].startswith("column 'signup' left out")
    assert found[1].startswith("column 'customer_id' kept, although it is an identifier: 'mine' selects it (assumed; ")
    both = compared(frame, a=BY_NAME[name], b=BY_NAME[name], names=("mine", "yours"))
    assert len(said(both)) == 1
    assert both.estimate == 0


def test_dates_that_a_learner_selects_reach_it_as_dates():
    months = FunctionTransformer(lambda frame: frame.apply(lambda dates: dates.dt.month))
    for columns in (["signup"], make_column_selector(dtype_include="datetime")):
        mine = piped(SCALED, ("months", months, columns))
        found = said(compared(WHOLE, a=mine, names=("mine", "nb"), b="nb"))
        assert [one[:40] for one in found] == [
            "column 'customer_id' left out: an identi",
            "column 'signup' kept, although it is a d",
        ]


def test_a_selection_by_kind_asks_for_no_column():
    mine = piped(
        ("numbers", StandardScaler(), make_column_selector(dtype_include="number")),
        ("rest", OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
    )
    c = compared(WHOLE, a=mine)
    assert numbers(c) == numbers(compared(FRAME, a=mine))
    assert len(said(c)) == 2


class Own(TransformerMixin, BaseEstimator):
    """A user's own step, which looks up columns in its code."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X[["size"]].assign(month=X["signup"].dt.month)

    def __sklearn_is_fitted__(self):
        return True


@pytest.mark.parametrize("name", ["function", "class", "positions", "union"])
def test_where_a_learner_may_use_any_column_all_stay_and_it_is_said(name):
    months = FunctionTransformer(lambda X: X[["size"]].assign(month=X["signup"].dt.month))
    mine = {
        "function": make_pipeline(months, LR),
        "class": make_pipeline(Own(), LR),
        "positions": piped(("scaled", StandardScaler(), [0, 3])),
        "union": make_pipeline(make_union(months, Own()), LR),
    }[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        c = compared(WHOLE, a=mine, b="nb", names=("mine", "nb"))
    assert [one.partition(" (")[0] for one in said(c)] == [
        "column 'customer_id' kept, although it is an identifier: 'mine' may use it",
        "column 'signup' kept, although it is a date: 'mine' may use it",
    ]


def test_steps_behind_the_first_see_no_columns():
    mine = make_pipeline(ColumnTransformer([SCALED]), FunctionTransformer(lambda values: values * 2), LR)
    for learner in (mine, make_pipeline(FunctionTransformer(np.log1p), LR)):
        frame = WHOLE[["customer_id", "size", "signup"]].assign(size=np.abs(WHOLE["size"]))
        assert [one.partition(":")[0] for one in said(compared(frame, a=learner))] == [
            "column 'customer_id' left out",
            "column 'signup' left out",
        ]


@pytest.mark.parametrize(
    ("X", "keep", "words"),
    [
        (WHOLE, "signup", r"keep must be names of columns in a list, got the text 'signup'"),
        (WHOLE, ["when"], r"keep must be columns of X \(size, price, colour, customer_id, signup\), got 'when'"),
        (np.zeros((N, 2)), ["x0"], r"keep must be columns of a data frame, but X is ndarray, got \['x0'\]"),
        (WHOLE[["customer_id", "signup"]], [], r"X has no attribute: column 'customer_id' left out: an identifier"),
    ],
)
def test_refusals(X, keep, words):
    with pytest.raises(InvalidInput, match=words):
        compared(X, keep=keep)


def test_a_data_set_has_chosen_its_columns_and_a_learner_that_misses_one_is_told():
    data = dataset_from_frame(WHOLE.assign(y=Y))
    with pytest.raises(InvalidInput, match=r"keep must be given to load where X is a data set, got \['signup'\]"):
        fw.compare(["nb", TREE], data, options=fw.Options(keep=["signup"]))
    with pytest.raises(InvalidInput, match=r"learner 'mine' selects column 'customer_id', which it does not get: colu"):
        fw.compare({"mine": BY_NAME["list"], "tree": TREE}, data)
    kept = dataset_from_frame(WHOLE.assign(y=Y), keep=["customer_id"])
    assert fw.compare([BY_NAME["list"], TREE], kept, runs=1, folds=3).fits == 6
