"""What is compared: what was asked for, else on each task the metric that most models have."""

import numpy as np
import pytest

from foldwise.comparison.series_choice import choose
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.reading import ItemRows, Series, WholeTask


def series(model, task="t", metric="acc", *, variant="", settings=None, whole=False, source=""):
    rows = WholeTask() if whole else ItemRows(keys=["q0", "q1"])
    values = np.array([0.5] if whole else [1.0, 0.0])
    return Series(
        model=model, task=task, metric=metric, variant=variant, rows=rows, values=values, settings=settings or {},
        source=source,
    )  # fmt: skip


def test_the_metric_of_most_models_is_taken_and_the_others_are_named():
    found = choose([series("a"), series("b"), series("a", metric="f1"), series("b", metric="f1"), series("c")])
    assert {one.measure for one in found.series} == {"acc"}
    assert found.others == ("f1",)


def test_each_task_has_its_own_metric():
    found = choose([series(m, t, n) for m in "ab" for t, n in (("mmlu", "acc"), ("gsm8k", "exact_match"))])
    assert {(one.task, one.metric) for one in found.series} == {("mmlu", "acc"), ("gsm8k", "exact_match")}


def test_filters_are_told_apart():
    given = [series(m, variant=v) for m in "ab" for v in ("strict", "flexible")]
    assert {one.variant for one in choose(given).series} == {"strict"}
    assert {one.variant for one in choose(given, variant="flexible").series} == {"flexible"}
    assert {one.variant for one in choose(given, metric="acc,flexible").series} == {"flexible"}


def test_an_unknown_metric_names_those_there_are():
    with pytest.raises(UnknownName, match="Known: acc"):
        choose([series("a"), series("b")], metric="f1")


def test_one_model_alone_is_no_comparison():
    with pytest.raises(InvalidInput, match="got only 'a'"):
        choose([series("a")])


def test_two_runs_of_one_model_are_named_by_what_differs():
    found = choose(
        [series("a", settings={"solver": "plain", "limit": "5"}), series("a", settings={"solver": "cot", "limit": "5"})]
    )
    assert [one.model for one in found.series] == ["a (solver=plain)", "a (solver=cot)"]


def test_two_runs_that_no_setting_tells_apart_are_called_after_their_files():
    found = choose([series("a", source="x.json"), series("a", source="y.json"), series("b")])
    assert [one.model for one in found.series] == ["a (x)", "a (y)", "b"]
    logs = [series("a", task, source=f"{run}/{task}.json") for run in ("old", "new") for task in ("t", "u")]
    assert {one.model for one in choose(logs).series} == {"a (old)", "a (new)"}
    stamped = [series("a", task, source=f"samples_{task}_{run}.json") for run in "12" for task in ("t", "u")]
    assert {one.model for one in choose(stamped).series} == {"a (samples__1)", "a (samples__2)"}


def test_two_series_of_one_file_that_nothing_tells_apart_are_refused():
    with pytest.raises(InvalidInput, match=r"x has acc of 'a' on t twice, and no setting tells"):
        choose([series("a", source="x"), series("a", source="x"), series("b")])


def test_items_are_taken_before_aggregates():
    found = choose([series("a"), series("b"), series("a", task="u"), series("b", task="u", whole=True)])
    assert all(isinstance(one.rows, ItemRows) for one in found.series)
    assert len(found.left_out) == 1
