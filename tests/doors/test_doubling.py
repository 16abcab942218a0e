"""Twice as many rows, columns, files, metrics, tasks, clusters or series take about twice the work; models four times.

Work is the number of calls of functions, Python's and C's, that a verb makes with its text and its JSON: it is the same
on every machine, however busy, and a loop over all pairs for each pair shows in it at once.
"""

from __future__ import annotations

import json
import sys
import warnings
import zipfile

import numpy as np
import pandas as pd
import pytest

import foldwise as fw
from foldwise.comparison import explain
from foldwise.inference.time_series import serial_correlation


def work(job) -> int:
    """Calls that the job makes."""
    count = 0

    def seen(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        job()
    finally:
        sys.setprofile(before)
    return count


def told(c, *, json=True):
    return str(c), c.details(), c.to_dict() if json else None


def drawn(models, n=30):
    rng = np.random.default_rng(0)
    return {f"m{i}": rng.random() + rng.normal(size=n) for i in range(models)}


def right(models, n=30):
    rng = np.random.default_rng(0)
    return {f"m{i}": (rng.random(n) < rng.uniform(0.3, 0.9)).astype(float) for i in range(models)}


MODELS = {
    "marks": lambda k: fw.compare_predictions(None, drawn(k)),
    "right and wrong": lambda k: fw.compare_predictions(None, right(k)),
    "clusters": lambda k: fw.compare_predictions(None, drawn(k), groups=np.arange(30) // 3),
    "a table": lambda k: fw.compare_table(drawn(k, 8)),
    "a margin": lambda k: fw.compare_predictions(None, drawn(k), margin=0.1),
    "a control": lambda k: fw.compare_predictions(None, drawn(k), options=fw.Options(control="m0")),
}
UNITS = {
    "items": lambda n: fw.compare_predictions(None, drawn(3, n)),
    "clusters": lambda n: fw.compare_predictions(None, drawn(3, 2 * n), groups=np.arange(2 * n) // 2),
    "tasks": lambda n: fw.compare_table(drawn(3, n)),
    "seeds": lambda n: fw.compare_predictions(None, {m: np.tile(x, (n // 10, 1)).T for m, x in drawn(2).items()}),
    "votes": lambda n: fw.compare_votes({"model_a": ["a", "b"] * n, "model_b": ["b", "c"] * n,
                                         "winner": ["model_a", "model_b", "tie", "model_a"] * (n // 2)}),
}  # fmt: skip


def table(place, k):
    """A table with columns that nobody needs."""
    head = ",".join(["item", "a", "b", *(f"note {i}" for i in range(5 * k))])
    rows = [",".join([f"i{i}", f"{i % 3}", f"{i % 2}", *["x"] * (5 * k)]) for i in range(20)]
    (place / "x.csv").write_text("\n".join([head, *rows, ""]))
    return place / "x.csv"


def records(names, *, metrics=1):
    """A long table: scores of 2 models for each of the names, on 6 items each."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        [
            {"model": model, **name, "item": i} | {f"quality {j}": rng.random() for j in range(metrics)}
            for model in ("a", "b")
            for name in names
            for i in range(6)
        ]
    )


def logs(k):
    """Names and contents of logs of 2 models on k tasks, a file each."""
    right = np.random.default_rng(0).random((2, k, 6)) < 0.5
    return {
        f"{model}-{task}.jsonl": "\n".join(map(json.dumps, [
            {"spec": {"completion_fns": [model], "eval_name": f"t{task}", "base_eval": f"t{task}"}},
            *({"run_id": "r", "event_id": i, "sample_id": f"t{task}.{i}", "type": "match",
               "data": {"correct": bool(right[at, task, i]), "expected": "x", "picked": "y"}} for i in range(6)),
            {"final_report": {}, "run_id": "r"},
        ]))
        for at, model in enumerate("ab") for task in range(k)
    }  # fmt: skip


def folder(place, k):
    for name, content in logs(k).items():
        (place / name).write_text(content)
    return place


def archive(place, k):
    with zipfile.ZipFile(place / "x.zip", "w") as packed:
        for name, content in logs(k).items():
            packed.writestr(name, content)
    return place / "x.zip"


def namesakes(place, k):
    with warnings.catch_warnings(), zipfile.ZipFile(place / "x.zip", "w") as packed:
        warnings.simplefilter("ignore")
        for _ in range(k):
            packed.writestr("x.csv", "item,a,b\n1,1,0\n2,0,1\n")
    return place / "x.zip"


FOUND = {
    "columns": table,
    "metrics": lambda place, k: records([{}], metrics=k),
    "tasks": lambda place, k: records([{"task": f"t{i}"} for i in range(k)]),
    "clusters": lambda place, k: records([{"cluster": f"c{i}"} for i in range(k)]).assign(item=[*range(6 * k)] * 2),
    "series": folder,
    "zip members": archive,
}


@pytest.mark.parametrize("what", FOUND)
def test_twice_as_much_in_files_takes_at_most_twice_the_work(what, tmp_path_factory):
    def job(k):
        data = FOUND[what](tmp_path_factory.mktemp("data"), k)

        def judged():
            found = fw.judge(data)
            return str(found), found.to_dict()

        return judged

    job(4)()
    less, more = (work(job(k)) for k in (12, 24))
    assert more <= 2.2 * less


def test_twice_as_many_zip_members_of_one_name_take_twice_the_reading(tmp_path_factory):
    paths = [namesakes(tmp_path_factory.mktemp("data"), k) for k in (4, 15, 30)]
    explain(paths[0])
    less, more = (work(lambda path=path: explain(path)) for path in paths[1:])
    assert more <= 2.2 * less


@pytest.mark.parametrize("what", MODELS)
def test_twice_as_many_models_take_at_most_four_times_the_work(what):
    told(MODELS[what](4))  # what is loaded once
    less, more = (work(lambda k=k: told(MODELS[what](k))) for k in (16, 32))
    assert more <= 4.3 * less


@pytest.mark.parametrize("what", UNITS)
def test_twice_as_many_units_take_at_most_twice_the_work(what):
    told(UNITS[what](20))
    less, more = (work(lambda n=n: told(UNITS[what](n))) for n in (200, 400))
    assert more <= 2.2 * less


@pytest.mark.parametrize(
    "verb",
    [
        lambda many: fw.compare_predictions(None, {name: [0.0, 1.0] for name in many}),
        lambda many: fw.compare_table({name: [0.0, 1.0] for name in many}),
        lambda many: fw.judge(pd.DataFrame({"item": ["x", "y"]} | {name: [1, 0] for name in many})),
    ],
)
def test_more_models_than_can_be_compared_are_refused_before_any_pair_is_made(verb):
    with pytest.raises(fw.InvalidInput, match=r"must be at most 2,000 .* got 2,001 \(m0, m1 …\); choose some"):
        verb([f"m{i}" for i in range(2001)])


def test_text_in_place_of_a_file_is_one_sentence():
    with pytest.raises(fw.FoldwiseError, match=r"there is no file or folder 'xxx.* …: files are named by their paths"):
        fw.judge("x" * 5000)


def test_votes_between_models_that_never_met_are_answered_from_strengths():
    rng = np.random.default_rng(0)
    won = np.where(rng.random(80) < 0.6, "model_a", "model_b").tolist()
    met = {"model_a": ["a"] * 40 + ["b"] * 40, "model_b": ["b"] * 40 + ["c"] * 40, "winner": won}
    c = fw.compare_votes(met)
    told = {(pair["a"], pair["b"]): pair for pair in c.to_dict()["pairs"]}
    for pair in c.pairs:  # "a" and "c" have no vote of their own
        assert pair.statistic == pytest.approx(pair.estimate / pair.standard_error)
        assert told[pair.a, pair.b]["df"] == pair.df


def test_sorted_items_are_known_whatever_their_number():
    right = np.repeat([[1.0, 0.0], [0.0, 1.0]], 20_000, axis=1)
    assert serial_correlation(right).pvalue == 1.0
    once_more = np.concatenate([right, right[:, :10]], axis=1)  # the first run comes again
    assert serial_correlation(once_more).pvalue < 1e-6
