from __future__ import annotations

import functools
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold, PredefinedSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from foldwise.core.digest import canonical, digest


def double(x):
    return 2 * x


def times(k):
    return lambda x: k * x


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_like)
def test_plain_values_stand_for_themselves(value):
    assert canonical(value) == value


PAIRS = [
    (DecisionTreeClassifier(max_depth=2), DecisionTreeClassifier(max_depth=3)),
    (make_pipeline(StandardScaler(), DecisionTreeClassifier()), make_pipeline(DecisionTreeClassifier())),
    (KFold(3), KFold(4)),
    (PredefinedSplit([0, 1, 2]), PredefinedSplit([0, 1, 1])),
    (np.arange(4), np.arange(4.0)),
    (np.arange(4), np.arange(4).reshape(2, 2)),
    (np.array(["a", None], dtype=object), np.array(["a", "None"], dtype=object)),
    (np.random.RandomState(1), np.random.RandomState(2)),
    (times(2), times(3)),
    (lambda x: x + 1, lambda x: x + 2),
    (functools.partial(double, 1), functools.partial(double, 2)),
    (double, times),
    (int, float),
    ({1, 2}, {1, 3}),
    (np.float64(1), np.float64(2)),
    (len, max),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_different_things_differ_and_the_same_agree(one, other):
    assert digest(one) != digest(other)
    assert digest(one) == digest(one)


def test_equal_objects_agree():
    assert digest(DecisionTreeClassifier(max_depth=2)) == digest(DecisionTreeClassifier(max_depth=2))
    assert digest(times(2)) == digest(times(2))
    assert digest(np.arange(6)[::2]) == digest(np.array([0, 2, 4]))


@pytest.mark.slow
def test_another_process_gives_the_same_digest():
    code = (
        "from foldwise.core.digest import digest; from sklearn.tree import DecisionTreeClassifier as T;"
        "print(digest([T(max_depth=2), {'b', 'a'}]))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert out == digest([DecisionTreeClassifier(max_depth=2), {"a", "b"}])
