"""Headlines that never contradict what stands below them, and names and numbers as people write them."""

from __future__ import annotations

import html
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import foldwise as fw
from foldwise.core.formatting import number_text
from foldwise.core.metric import metric_words
from foldwise.core.units import fixed, shared_decimals
from foldwise.document import document_of
from foldwise.engine.learners import name_learners, spoken
from foldwise.lab.papers.rows import Row
from foldwise.lab.papers.study import StudyResult
from foldwise.render.html import Page, body_html
from foldwise.render.reproduction import _reproduction_section

EXPONENT = re.compile(r"\d[eE][+−-]?\d")


def scores(shift, spread, seed):
    rng = np.random.default_rng(seed)
    b = rng.normal(0.8, 0.02, (10, 10)).clip(0, 1)
    return (b + shift + spread * rng.normal(size=(10, 10))).clip(0, 1), b


@settings(max_examples=25, deadline=None)
@given(
    st.floats(-0.03, 0.03), st.sampled_from([0.0005, 0.003, 0.02]), st.integers(0, 9), st.sampled_from([0.005, 0.01])
)
def test_the_headline_agrees_with_the_probabilities(shift, spread, seed, rope):
    c = fw.compare_scores(list(scores(shift, spread, seed)), n_train=90, n_test=10, rope=rope)
    said, same = document_of(c).answer, 0.0 if c.rope_probabilities is None else float(c.rope_probabilities.equivalent)
    assert ("less than matters in practice" in said) == (c.better is not None and same > 0.5)
    assert ("probably" in said) == (c.better is not None and 0.5 < same <= 1 - c.alpha)
    for text in (str(c), c.to_markdown(), c.methods()):
        assert not EXPONENT.search(text)
    assert said in " ".join(str(c).split())
    lead, _, rest = c.verdict.partition(": ")
    assert f"**{lead}.** {rest[0].upper()}{rest[1:]}" in html.unescape(c.to_markdown())


def test_a_small_but_sure_difference_is_one_sentence():
    c = fw.compare_scores(list(scores(0.004, 0.003, 0)), n_train=90, n_test=10)
    assert document_of(c).answer.startswith("a is better, but by less than matters in practice: ")


def test_text_and_statistic_have_one_sign():
    a, b = scores(0.05, 0.01, 1)
    for c in (
        fw.compare_scores({"a": a, "b": b}, n_train=90, n_test=10),
        fw.compare_scores({"a": b, "b": a}, n_train=90, n_test=10),
    ):
        assert "−" not in document_of(c).answer
        shown = dict(document_of(c).details[0].blocks[0].rows)  # tells the difference as a − b
        assert ("−" in shown["p"]) == (c.estimate < 0) == ("−" in shown["score of a minus that of b"].partition("(")[0])
    assert "t = −" in c.methods()


def test_several_models_say_which_differences_do_not_matter():
    rng = np.random.default_rng(0)
    base = rng.normal(size=400)
    marks = {"x": base + 0.004 + 0.001 * rng.normal(size=400), "y": base, "z": base - 1}
    m = fw.compare_predictions(None, marks, metric="mark", rope=0.05)
    assert str(m).count("The difference between x and y is less than matters in practice.") == 1


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1.48e-17, 3, "0"),
        (-7.08e-5, 3, "−0.0000708"),
        (123456.0, 4, "123500"),
        (2.5e16, 3, "2.50 × 10^16"),
        (math.inf, 3, "∞"),
        (-math.inf, 3, "−∞"),
        (0.1 + 0.2, 3, "0.3"),
    ],
)
def test_numbers_have_no_exponents(value, digits, text):
    assert number_text(value, digits) == text


@settings(max_examples=25)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.integers(2, 5))
def test_columns_have_one_number_of_decimals(values, digits):
    decimals = shared_decimals(values, digits)
    shown = [fixed(value, decimals) for value in values]
    assert {len(text.partition(".")[2]) for text in shown} == {decimals}
    assert all(abs(float(t.replace("−", "-")) - v) <= 0.51 * 10**-decimals for t, v in zip(shown, values, strict=True))


def test_metrics_are_written_as_people_do():
    said = {"roc_auc": "ROC AUC", "f1": "F1", "roc_auc_ovr_weighted": "weighted one-vs-rest ROC AUC", "error": "error",
            "balanced_accuracy": "balanced accuracy", "Exact Match": "Exact Match",
            "neg_brier_score": "negative Brier score",
            "rmse": "RMSE", "macro": "macro"}  # fmt: skip
    assert {name: metric_words(name) for name in said} == said


def test_learners_are_called_as_people_do():
    pipe = make_pipeline(StandardScaler(), SVC())
    assert spoken("sklearn.linear_model:LogisticRegression(max_iter=1000)") == "LogisticRegression(max_iter=1000)"
    assert list(name_learners([pipe, RandomForestClassifier()])) == ["StandardScaler + SVC", "RandomForestClassifier"]
    two = [LogisticRegression(C=0.1), LogisticRegression(C=10)]
    assert list(name_learners(two)) == ["LogisticRegression(C=0.1)", "LogisticRegression(C=10)"]
    assert list(name_learners([SVC(), SVC()])) == ["SVC (a)", "SVC (b)"]
    assert list(name_learners(["one:f()", "two:f()"])) == ["one:f()", "two:f()"]


class Warner(LogisticRegression):
    """Warns in two ways in every fit."""

    def fit(self, X, y):
        """Warn and fit."""
        import warnings

        warnings.warn("it is late", UserWarning, stacklevel=1)
        warnings.warn("it is cold\nand dark", RuntimeWarning, stacklevel=1)
        return super().fit(X, y)


def test_warnings_of_learners_are_one_line_with_a_count():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), [0, 1] * 15
    c = fw.compare([Warner(), LogisticRegression()], X, y, runs=1, folds=3)
    (said,) = [caveat for caveat in c.caveats if "while fitting" in caveat]
    assert said == "6 warnings while fitting: Warner in 3 fits, UserWarning: it is late (and 1 other kind)"


def test_reproductions_have_no_exponents():
    rows = (
        Row(label="p", printed="p < 0.001", ours=2.152e-5, verdict="agree"),
        Row(label="d", printed="1.0", ours=1.8e-16, low=-3.6e-17, high=2.95e-5, verdict="differs", difference=-4.2e-5),
    )
    result = StudyResult(
        key="a/b", title="t", reference="r", scale="quick", seed=0, seconds=1.0, made_by="m", rows=rows, charts=(),
        raw={}, notes=(),
    )  # fmt: skip
    shown = {
        "text": str(result),
        "markdown": "\n".join(_reproduction_section(result, "")),
        "page": body_html(Page(document=document_of(result))),
    }
    for form, text in shown.items():
        assert not EXPONENT.search(text), form
        assert "0.00002152" in text, form
    assert "0 to 0.0000295" in shown["page"]
    assert "differs (by −0.000042)" in shown["page"]


def test_plans_have_no_exponents():
    for given_size, wanted in ({"difference": 0.00004}, ("0.00004",)), ({"size": 10**9}, ()):
        text = str(fw.plan("mcnemar", discordance=0.00005, alpha=0.00001, power=0.8, **given_size))
        assert not EXPONENT.search(text)
        assert all(number in text for number in ("0.00001", "0.005 %", *wanted))
