from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.data.encoding import TableEncoder, describe_encoding, encode_for

NAMES = ("a", "b", "c")


class Ours:
    accepts_table = True


class Foreign:
    def fit(self, X, y):
        return self


def table(numbers, codes):
    return Table.build(np.column_stack([numbers, codes]), [None, NAMES])


numeric = st.floats(-100, 100) | st.just(np.nan)
codes = st.sampled_from([0.0, 1.0, 2.0, np.nan])
rows = st.integers(2, 12).flatmap(
    lambda n: st.tuples(arrays(np.float64, n, elements=numeric), arrays(np.float64, n, elements=codes))
)


@given(rows, rows)
def test_agrees_with_scikit_learns_own_steps(training, testing):
    for column in training:
        if np.isnan(column).all():
            column[0] = 1  # scikit-learn drops a column without values
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    steps = [
        ("number", SimpleImputer(strategy="median"), [0]),
        ("name", make_pipeline(SimpleImputer(strategy="most_frequent"), one_hot), [1]),
    ]
    reference = ColumnTransformer(steps)
    expected = reference.fit(np.column_stack(training)).transform(np.column_stack(testing))
    encoder = TableEncoder().fit(table(*training))
    np.testing.assert_allclose(encoder.transform(table(*testing)), expected)


def test_a_column_without_any_value_becomes_zero():
    encoder = TableEncoder().fit(table([np.nan, np.nan], [np.nan, np.nan]))
    np.testing.assert_array_equal(encoder.transform(table([5, np.nan], [1, np.nan])), [[5], [0]])


def test_unseen_category_gives_zeros():
    encoder = TableEncoder().fit(table([0, 1], [0, 1]))
    np.testing.assert_array_equal(encoder.transform(table([0], [2])), [[0, 0, 0]])


def test_without_imputation_numeric_gaps_stay():
    encoded = TableEncoder(impute=False).fit_transform(table([1, np.nan], [0, np.nan]))
    np.testing.assert_array_equal(encoded, [[1, 1], [np.nan, 1]])


MIXED = table([1, 2, 3, 4], [0, 1, 0, 1])
GAPS = Table.build([[1.0], [np.nan], [3.0], [4.0]])
PLAIN = Table.build([[1.0], [2.0], [3.0], [4.0]])
Y = np.array(["u", "v", "u", "v"])


@pytest.mark.parametrize(
    ("estimator", "data", "steps"),
    [
        (GaussianNB(), PLAIN, None),
        (GaussianNB(), GAPS, {"impute": True}),
        (GaussianNB(), MIXED, {"impute": False}),
        (GaussianNB(), table([1, np.nan], [0, 1]), {"impute": True}),
        (HistGradientBoostingClassifier(), GAPS, None),
        (HistGradientBoostingClassifier(), MIXED, {"impute": False}),
        (Foreign(), GAPS, {"impute": True}),
        (Foreign(), PLAIN, None),
        (Ours(), GAPS, None),
        (Ours(), MIXED, None),
    ],
)
def test_only_what_is_needed(estimator, data, steps):
    encoded = encode_for(estimator, data)
    if steps is None:
        assert encoded is estimator
        assert describe_encoding(encoded, data) is None
    else:
        assert isinstance(encoded, Pipeline)
        assert encoded.steps[0][1].get_params() == steps
        assert encoded.steps[1][1] is estimator


@pytest.mark.parametrize("data", [PLAIN, GAPS, MIXED])
def test_estimators_run_behind_it_and_can_be_cloned(data):
    fitted = clone(encode_for(GaussianNB(), data)).fit(data, Y)
    assert set(fitted.predict(data[1:])) <= {"u", "v"}


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (GAPS, "missing numbers replaced by the median"),
        (MIXED, "nominal attributes one-hot encoded"),
        (
            table([1, np.nan], [0, np.nan]),
            "nominal attributes one-hot encoded, missing numbers replaced by the median, "
            "missing categories replaced by the most frequent",
        ),
    ],
)
def test_description_says_what_happens(data, what):
    sentence = describe_encoding(encode_for(GaussianNB(), data), data)
    assert sentence == f"GaussianNB gets {what}, as learned from each training split."


def test_refusals():
    with pytest.raises(InvalidInput, match="X must be a Table, got ndarray"):
        TableEncoder().fit(np.zeros((2, 2)))
    with pytest.raises(InvalidInput, match="X has 1 columns, but the encoder was fitted on 2"):
        TableEncoder().fit(MIXED).transform(PLAIN)
