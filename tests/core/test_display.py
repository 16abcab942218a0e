from __future__ import annotations

import importlib
import pkgutil
import sys
from dataclasses import dataclass, is_dataclass

import numpy as np
import pytest

import foldwise.inference
import foldwise.lab
from foldwise import inference
from foldwise.core.display import Shown, fields_html
from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Interval
from foldwise.inference import mcnemar

PARTS = {
    "Behaviour", "ClusterNumbers", "FlippedLaw", "JointDifferences", "LikelyCounts", "MeasuredLevel", "MeasuredOn",
    "MetricBehaviour", "ModelMeans", "PairedTable", "PosteriorDraws", "Prior", "Procedure", "RatePosterior",
    "SampleMoments", "Share", "Summaries", "SurveyRow",
}  # fmt: skip
"""Dataclasses of the inference room that are no results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Shown):
    text: str
    many: tuple[float, ...]
    array: np.ndarray
    part: Interval
    rows: tuple[Row, ...]


def result(rows=1):
    return Result(
        text="<b>&",
        many=tuple(range(9)),
        array=np.zeros((3, 4)),
        part=Interval(low=0.1, high=1 / 3),
        rows=tuple(Row(name=f"<i>{i}", value=i / 7) for i in range(rows)),
    )


def test_fields_are_shown_and_escaped():
    html = result()._repr_html_()
    assert "&lt;b&gt;&amp;" in html
    assert "&lt;i&gt;0" in html
    assert "<b>" not in html
    assert "low 0.1, high 0.3333" in html
    assert "0, 1, 2, 3, 4, 5, … (9 values)" in html
    assert "(shape (3, 4))" in html


def test_long_tables_are_cut():
    assert "… and 10 more" in result(60)._repr_html_()
    assert "more</td>" not in result(50)._repr_html_()


def test_batches_are_shown_by_their_beginning():
    html = mcnemar(np.arange(1000), 3)._repr_html_()
    assert "shape (1000,)" in html
    assert len(html) < 2000


def test_the_base_adds_no_dictionary_and_no_field():
    assert not hasattr(Interval(low=0, high=1), "__dict__")
    assert fields_html(Interval(low=0, high=1)).count("<tr>") == 2


def modules(package):
    names = [m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [importlib.import_module(name) for name in names]


@pytest.mark.parametrize("package", [foldwise.inference])
def test_every_result_shows_itself_in_a_notebook(package):
    found = {
        value
        for module in modules(package)
        for value in vars(module).values()
        if isinstance(value, type) and is_dataclass(value) and value.__module__.startswith(package.__name__)
    }
    without = {cls.__name__ for cls in found if not cls.__name__.startswith("_") and not hasattr(cls, "_repr_html_")}
    assert without == PARTS & {cls.__name__ for cls in found}


@pytest.mark.parametrize("name", ["RateTable", "CalibrationTable", "QQ", "ReplicabilityTable"])
def test_the_tables_of_the_lab_show_themselves(name):
    assert hasattr(getattr(foldwise.lab, name), "_repr_html_")


def chosen_by_ipython(cls):
    """Which of its two methods IPython calls: that of the first class in line that has one of them."""
    return next(name for one in cls.__mro__ for name in ("_repr_pretty_", "__repr__") if name in vars(one))


@pytest.mark.parametrize("cls", [Result, Interval, foldwise.Comparison, type(mcnemar(3, 5)),
                                 foldwise.lab.RateTable, type(foldwise.advise()), foldwise.Dataset])  # fmt: skip
def test_the_text_is_taken_before_the_fields_of_the_dataclass(cls):
    assert chosen_by_ipython(cls) == "_repr_pretty_"
    assert chosen_by_ipython(Row) == "__repr__"


def test_text_in_notebooks_is_the_answer_and_has_no_exponents():
    class Printer:
        said = ""

        def text(self, text):
            self.said += text

    shown, verdict = Printer(), Printer()
    result()._repr_pretty_(shown, cycle=False)
    assert "object at" not in shown.said
    assert len(shown.said.splitlines()) > 2
    from foldwise.comparison import plan

    power = plan("mcnemar", difference=0.1, discordance=0.2)
    power._repr_pretty_(verdict, cycle=False)
    assert verdict.said == str(power)


SMALL = np.random.default_rng(0).normal(1, 0.02, 10_000)  # a mean of 5,000 standard errors
VANISHING = {
    "t": lambda: inference.paired_t(SMALL),
    "t, one side": lambda: inference.paired_t(-SMALL, alternative="less"),
    "corrected t": lambda: inference.corrected_resampled_t(SMALL, test_train_ratio=1e-4),
    "t of clusters": lambda: inference.clustered_t(SMALL, np.arange(10_000) // 2),
    "unpaired t": lambda: inference.unpaired_t(SMALL, -SMALL),
    "signed ranks": lambda: inference.wilcoxon_signed_rank(SMALL, 0 * SMALL),
    "signs": lambda: inference.sign_test(SMALL, 0 * SMALL),
    "McNemar": lambda: inference.mcnemar(5000, 0, method="corrected"),
    "exact McNemar": lambda: inference.mcnemar(5000, 0, method="exact"),
    "two rates": lambda: inference.two_rates(100_000, 100_000, 0, 100_000),
    "Cochran's Q": lambda: inference.cochran_q(np.repeat([[0.0], [1.0], [1.0]], 5000, axis=1)),
    "mean ranks": lambda: inference.friedman(np.tile([1.0, 2.0, 3.0], (3000, 1))),
}


@pytest.mark.parametrize("test", VANISHING.values(), ids=VANISHING)
def test_a_pvalue_too_small_for_a_number_is_the_smallest_number(test):
    assert test().pvalue == sys.float_info.min


BESIDE = {
    "corrected_pvalue": lambda: inference.difference_of_proportions(1, 10, 200_000, 1),
    "sign_pvalue": lambda: inference.disjoint(SMALL),
    "quasi_f_pvalue": lambda: inference.crossed(1 + 1e-9 * SMALL[:9000].reshape(30, 300)),
    "pvalue_low": lambda: inference.tost(inference.paired_t(SMALL), margin=9.0),
}


@pytest.mark.parametrize("name", BESIDE)
def test_so_is_a_second_pvalue_beside_its_own_statistic(name):
    assert getattr(BESIDE[name](), name) == sys.float_info.min


def test_only_without_variance_a_pvalue_is_0():
    with pytest.warns(DegenerateVariance):
        found = inference.paired_t(np.stack([SMALL, np.ones(10_000), np.zeros(10_000)]))
    assert found.pvalue.tolist() == [sys.float_info.min, 0.0, 1.0]
    assert found.statistic[1:].tolist() == [np.inf, 0.0]
