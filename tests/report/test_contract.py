"""Every result a person can get keeps one contract: text, JSON with a schema, a page, pictures, words for a paper."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from dataclasses import replace
from functools import reduce
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import jsonschema
import numpy as np
import pytest
from matplotlib.figure import Figure
from report.markup import Markup
from report.samples import from_counts, from_scores
from report.test_lab_study_pages import curve, examination, nulls

import foldwise as fw
from foldwise import lab
from foldwise.comparison import Comparison, EstimateSurvey, compare_rates
from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.core.result import SCHEMA, Result
from foldwise.document import plots_of
from foldwise.document.data import Listing
from foldwise.inference.error_rates import interval_survey
from foldwise.lab.studies import find_studies


def many():
    return fw.compare_table({"nb": [0.8, 0.9, 0.7, 0.6], "c45": [0.7, 0.8, 0.75, 0.5], "1nn": [0.6, 0.7, 0.7, 0.4]})


def estimate(method="kfold"):
    rng = np.random.default_rng(0)
    return fw.estimate_error("majority", rng.normal(size=(30, 2)), np.arange(30) % 2, method=method)


def models():
    right = np.arange(60) % 10
    return fw.compare_predictions(None, {"first": right > 0, "second": right > 1, "$third": right > 4})


def metrics():
    truth, scores = np.arange(60) % 3 > 1, np.arange(60) / 60
    return fw.compare_predictions(truth, {"a": scores, "b": (scores * 7) % 1}, metric=["f1", "roc_auc", "brier"])


def models_by_metrics():
    truth, said = (
        np.arange(60) % 2,
        {name: (np.arange(60) % k > 0) * (np.arange(60) % 2) for k, name in enumerate("abc", 3)},
    )
    return fw.compare_predictions(truth, said, metric=["f1", "accuracy"], options=fw.Options(positive=1))


def many_by_metrics():
    (c,) = many().parts
    pairs = tuple(replace(pair, metric="f1") for pair in c.pairs)
    other = replace(c, evidence=replace(c.table, metric="f1"), pairs=pairs)
    return Comparison(parts=(c, other), alpha=0.05, adjust_metrics="none")


def frontier():
    import pandas as pd

    rows = [(name, i, (i * k) % 5 > 1, k + (i % 3) / 10) for k, name in enumerate("abc", 1) for i in range(40)]
    return fw.frontier(pd.DataFrame(rows, columns=["model", "item", "score", "cost"]), margin=0.2)


PUBLISHED = Path(__file__).parents[2] / "docs" / "reference" / "foldwise-2.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(json.loads(PUBLISHED.read_text(encoding="utf-8")))

LOGS = Path(__file__).parents[1] / "reference" / "harnesses" / "lm_eval"

MAKERS = {
    "Comparison": from_scores,
    "Comparison: data sets by metrics": many_by_metrics,
    "Comparison: data sets": many,
    "Comparison: metrics": metrics,
    "Comparison: models by metrics": models_by_metrics,
    "Comparison: models": models,
    "Watch": lambda: fw.watch({"a": [1, 1, 1, 0, 1, 1] * 20, "b": [0, 1, 0, 0, 1, 1] * 20}, margin=0.05),
    "PosteriorCurve": lambda: from_scores().posterior(),
    "PowerCurve": lambda: from_scores().power_curve(),
    "ErrorEstimate": estimate,
    "RateComparison": lambda: compare_rates([(3, 50), (7, 60), (20, 100)]),
    "EstimateSurvey": lambda: EstimateSurvey(rows=(estimate(), estimate("holdout"))),
    "PowerPlan": lambda: fw.plan("mcnemar", difference=0.1, discordance=0.2),
    "Advice": lambda: fw.advise(question=8, n=300, runs_affordable=5),
    "IntervalSurvey": lambda: interval_survey(3, 50),
    "Dataset": lambda: fw.load("iris"),
    "Recalled": lambda: Result.from_dict(fw.load("iris").to_dict()),
    "Description": lambda: fw.load("iris").describe(),
    "Listing": lambda: Listing(title="Things", key="things", content=[1], columns=("a", "b"), rows=(("x", "y"),)),
    "RateTable": lambda: lab.type_one_error("mcnemar", "two-kinds", trials=100),
    "ReplicabilityTable": lambda: lab.replicability("mcnemar", "two-kinds", trials=20, repetitions=3),
    "CalibrationTable": lambda: lab.calibrate(["use_all_data"], "two-kinds", learners=(), trials=200, runs=2, folds=5),
    "QQ": lambda: lab.qq("mcnemar", "two-kinds", trials=200),
    "SideBySide": nulls,
    "Examination": examination,
    "Equalised": lambda: examination().equalised,
    "PowerByNumber": curve,
    "Judgement": lambda: fw.judge(LOGS),
    "Frontier": frontier,
    "Gate": lambda: fw.not_worse([1] * 90 + [0] * 10, [1] * 88 + [0] * 12, margin="5pt", metric="accuracy"),
    "Leaderboard": lambda: fw.leaderboard(models()),
    "Understanding": lambda: fw.judge(LOGS).understanding,
    "StudyResult": lambda: find_studies("martinhirschberg1996/table5")[0].run("smoke"),
}
"""A way to each kind of result; a new one needs a line here."""


BASES = {"Curve", "Simulation"}  # what kinds of results share: nobody gets one of them


def results(base: type = Result) -> list[type]:
    for module in walk_packages(fw.__path__, "foldwise."):
        if "__main__" not in module.name:
            import_module(module.name)
    return [cls for one in base.__subclasses__() for cls in (one, *results_below(one)) if cls.__name__ not in BASES]


def results_below(base: type) -> list[type]:
    return [cls for one in base.__subclasses__() for cls in (one, *results_below(one))]


def test_there_is_a_line_here_for_every_kind_of_result():
    ours = {cls.__name__ for cls in results() if cls.__module__.startswith("foldwise.")}
    made = {name.partition(":")[0] for name in MAKERS}
    missing = ours - made
    assert not missing, f"add a way to make {sorted(missing)} to MAKERS, so that the contract is tested on it"
    assert made == ours


@pytest.fixture(scope="module")
def made():
    kept: dict[str, Result] = {}
    return lambda name: kept.setdefault(name, MAKERS[name]()) if name not in kept else kept[name]


@pytest.mark.parametrize("name", MAKERS)
def test_every_result_prints_and_shows_itself_in_a_notebook(made, name):
    result = made(name)
    assert str(result).strip()
    assert repr(result).startswith(f"<{type(result).__name__}") or name in ("Dataset", "Recalled")
    assert "\n" not in repr(result)
    assert len(repr(result)) < 300
    assert "object at 0x" not in str(result)
    Markup(result._repr_html_())


@pytest.mark.parametrize("name", MAKERS)
def test_every_result_is_json_with_a_schema(made, name):
    result = made(name)
    read = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert read["schema"] == SCHEMA
    assert read["result"] == (result.kind if name == "Recalled" else result.page)  # which keeps what it was
    assert len(read) > 2
    VALIDATOR.validate(read)


def test_the_published_schema_refuses_what_is_no_result(made):
    kept = json.loads(json.dumps(made("Comparison").to_dict()))
    jsonschema.Draft202012Validator.check_schema(VALIDATOR.schema)
    for damage in (
        {"schema": "foldwise/1"},
        {"pairs": []},
        {"alpha": 5},
        {"pairs": [{**kept["pairs"][0], "pvalue": 2}]},
    ):
        assert not VALIDATOR.is_valid(kept | damage), damage


@pytest.mark.parametrize("name", MAKERS)
def test_every_result_comes_back_from_json(made, name):
    result = made(name)
    kept = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    again = type(result).from_dict(kept)
    assert json.loads(json.dumps(again.to_dict())) == kept == Result.from_dict(kept).to_dict()


@pytest.mark.parametrize("name", MAKERS)
def test_every_result_can_be_kept_as_a_page(made, name, tmp_path):
    made(name).report(tmp_path / "page.html")
    Markup((tmp_path / "page.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", MAKERS)
def test_every_result_has_pictures_or_says_that_there_are_none(made, name):
    result = made(name)
    pictures = plots_of(result)
    if not pictures:
        with pytest.raises(InvalidInput, match="no picture"):
            result.plot()
        return
    assert isinstance(result.plot(), Figure)
    for kind in pictures:
        assert isinstance(result.plot(kind), Figure)
    with pytest.raises(InvalidInput, match="unknown plot 'nothing'"):
        result.plot("nothing")


SPEECHLESS = {
    "Recalled",
    "Advice",
    "Understanding",
    "Listing",
    "Equalised",
    "StudyResult",
    "PosteriorCurve",
    "PowerCurve",
}
WITHOUT_TABLE = {"Recalled", "ErrorEstimate", "Understanding", "Equalised"}


@pytest.mark.parametrize("name", MAKERS)
def test_every_result_has_words_for_a_paper_or_says_that_there_are_none(made, name):
    if name in SPEECHLESS:
        with pytest.raises(InvalidInput, match="nothing to write"):
            made(name).methods()
    else:
        assert made(name).methods().endswith(".")


@pytest.mark.parametrize("name", MAKERS)
def test_every_result_has_a_table_for_latex_or_says_that_there_is_none(made, name):
    if name in WITHOUT_TABLE:
        with pytest.raises(InvalidInput, match="no table"):
            made(name).to_latex()
    else:
        assert r"\begin{tabular}" in made(name).to_latex()


@pytest.mark.parametrize("name", ["Comparison", "ErrorEstimate", "RateTable", "Examination", "PowerPlan"])
def test_what_was_measured_can_be_written_down(made, name):
    assert fw.__version__ in made(name).methods()


@pytest.mark.parametrize("name", MAKERS)
def test_every_result_has_a_summary_for_a_comment(made, name):
    text = made(name).to_markdown()
    assert text.startswith("### ")
    assert text.count("<details>") == text.count("</details>")
    assert len(text) < 65_536


def test_a_data_set_is_one_line():
    assert repr(fw.load("iris")) == "Dataset('iris': 150 examples, 4 attributes, 3 classes)"


def test_predictions_keep_the_contract_too():
    c = from_counts()
    assert set(plots_of(c)) == {"effect", "outcomes", "posterior", "power"}
    assert set(plots_of(from_counts(margin=0.02))) == {"effect", "outcomes", "margin", "posterior", "power"}
    assert r"\begin{tabular}" in c.to_latex()


WRONG = (None, True, -1, 1e308, float("nan"), 10**400, "x", "", [], {}, [[]], {"a": 1}, ["a", "a"], "\ud800")


def places(content, above=()):
    """Where something stands in a dictionary, of long lists in their first entries."""
    inside = (
        content.items() if isinstance(content, dict) else enumerate(content[:5] if isinstance(content, list) else ())
    )
    for key, value in inside:
        yield (*above, key)
        yield from places(value, (*above, key))


@pytest.mark.parametrize("name", MAKERS)
def test_damaged_content_is_one_sentence(made, name):
    """Whatever of a kept result is lost, replaced or added, it is read, or refused by an error of ours."""
    draw, kept = random.Random(name), json.loads(json.dumps(made(name).to_dict()))
    where = list(places(kept))
    for _ in range(12):
        changed = copy.deepcopy(kept)
        *path, last = draw.choice(where)
        inside = reduce(lambda part, key: part[key], path, changed)
        if draw.random() < 0.3:
            del inside[last]
        else:
            inside[last] = draw.choice(WRONG)
        with contextlib.suppress(FoldwiseError):
            str(Result.from_dict(changed))
