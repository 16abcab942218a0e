"""Long tables of outputs, a row for each model and item: the same answer as the wide ones, at every door."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import foldwise as fw

N = 50


def table(header, rows):
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return out.getvalue()


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(4)
    truth = rng.choice(["cat", "dog"], N)
    other = np.where(truth == "cat", "dog", "cat")
    models = {name: np.where(rng.random(N) < share, truth, other) for name, share in (("new", 0.95), ("old", 0.5))}
    words = rng.integers(4, 30, N)
    errors = {name: rng.binomial(words, share) for name, share in (("new", 0.1), ("old", 0.2))}
    y = rng.normal(50, 5, N)
    forecasts = {name: y + rng.normal(0, spread, N) for name, spread in (("new", 0.5), ("old", 1.0))}
    days = [str(day) for day in np.datetime64("2024-01-01") + np.arange(N)]
    speaker = [f"s{i % 10}" for i in range(N)]
    return {
        "labels": (
            (["item", "truth"], [[f"q{i}", truth[i]] for i in range(N)]), "prediction", models,
            ["--metric", "accuracy"],
        ),
        "scores": (
            (["item", "truth", "difficulty"], [[f"q{i}", truth[i], i % 3] for i in range(N)]), "score",
            {name: 3.0 * (said == "dog") + rng.normal(0, 1, N) for name, said in models.items()},
            ["--metric", "roc_auc", "--positive", "dog"],
        ),
        "forecasts": ((["ds", "y"], list(zip(days, y, strict=True))), "yhat", forecasts, ["--metric", "rmse"]),
        "counts": (
            (["item", "speaker", "words"], [[f"q{i}", speaker[i], words[i]] for i in range(N)]), "errors", errors,
            ["--metric", "wer", "--groups", "speaker"],
        ),
    }  # fmt: skip


def both(data, name):
    """The long table, in a random order of its rows, and the wide one."""
    (header, shared), said, models, asked = data[name]
    rows = [[model, *shared[i], column[i]] for model, column in models.items() for i in range(N)]
    rows = [*rows[:1], *(rows[i + 1] for i in np.random.default_rng(0).permutation(len(rows) - 1))]
    columns = [f"{model}_{said}" if name == "counts" else model for model in models]
    kept = [place for place, column in enumerate(header) if column != "difficulty"]
    wide = [[*(shared[i][place] for place in kept), *(column[i] for column in models.values())] for i in range(N)]
    return table(["model", *header, said], rows), table([*(header[p] for p in kept), *columns], wide), asked


@pytest.mark.parametrize("name", ["labels", "scores", "forecasts", "counts"])
def test_the_answer_is_that_of_the_wide_table_at_every_door(run, on_page, tmp_path, data, name):
    long, wide, asked = both(data, name)
    (tmp_path / "long.csv").write_text(long)
    (tmp_path / "wide.csv").write_text(wide)
    named = ["--candidate", "new", "--baseline", "old"]
    found = [
        json.loads(run("predictions", tmp_path / one, *asked, *named, "--json")[1]) for one in ("wide.csv", "long.csv")
    ]
    if name != "scores":  # judge takes no positive class
        found.append(json.loads(run("judge", tmp_path / "long.csv", *asked, *named, "--json")[1])["verdicts"][""])
    expected = found[0]["pairs"][0]
    assert expected["pvalue"] < 0.05
    for one in found[1:]:
        assert one["test"] == found[0]["test"]
        for part in ("pvalue", "estimate", "means", "interval"):
            assert one["pairs"][0][part] == pytest.approx(expected[part], rel=1e-9), part
    fields = dict(zip((word.removeprefix("--") for word in asked[::2]), asked[1::2], strict=True))
    page = on_page("predictions", tmp_path / "long.csv", a="new", b="old", **fields)
    assert "new is better" in page.text


def test_counts_are_recognised_where_nobody_names_a_metric(run, tmp_path, data):
    long, wide, _ = both(data, "counts")
    for text in (long, wide):
        (tmp_path / "counts.csv").write_text(text)
        for command in ("predictions", "judge"):
            code, out, _ = run(command, tmp_path / "counts.csv", "--groups", "speaker")
            assert code == 0
            assert "WER" in out, command
            assert "Assumed: what is compared is WER, errors / words of the sums over items" in " ".join(out.split())


def test_one_model_has_its_interval(run, tmp_path, data):
    long, _, _ = both(data, "labels")
    header, *rows = long.splitlines()
    (tmp_path / "one.csv").write_text("\n".join([header, *(row for row in rows if row.startswith("new,"))]))
    share = float((data["labels"][2]["new"] == [row[1] for row in data["labels"][0][1]]).mean())
    for command in ("predictions", "judge"):
        out = run(command, tmp_path / "one.csv")[1]
        assert f"Accuracy {100 * share:.1f} %, 95 % CI" in out, command


def test_a_frame_is_read_alike(data):
    pd = pytest.importorskip("pandas")
    long, _, _ = both(data, "labels")
    c = fw.judge(pd.read_csv(io.StringIO(long)), candidate="new").main
    assert (c.test, c.better) == ("mcnemar", "new")


def changed(long, what):
    header, *rows = long.splitlines()
    if what == "another truth":
        first = rows[0].split(",")
        first[2] = "dog" if first[2] == "cat" else "cat"
        rows[0] = ",".join(first)
    elif what == "a row twice":
        rows.append(rows[0])
    elif what == "no item":
        header, *rows = (",".join(line.split(",")[:1] + line.split(",")[2:]) for line in (header, *rows))
    elif what == "two columns":
        header, rows = f"{header},reply", [f"{row},{place % 7}" for place, row in enumerate(rows)]
        header = header.replace("prediction", "said")
    elif what == "a row is missing":
        rows = rows[1:]
    return "\n".join([header, *rows])


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("another truth", "the truth (column 'truth') of an item must be the same for all models, but is"),
        ("a row twice", "2 times; if rows are trials, name the column that counts them with --column trial=NAME"),
        ("no item", "Name the column with --column item=NAME"),
        ("two columns", "said, reply differ between models"),
        ("a row is missing", "must hold a label, got ''"),
    ],
)
def test_what_can_not_be_matched_ends_in_one_sentence(run, tmp_path, data, what, said):
    (tmp_path / "bad.csv").write_text(changed(both(data, "labels")[0], what))
    code, _, err = run("predictions", tmp_path / "bad.csv")
    assert code == 2
    assert said in err


def test_a_model_that_is_called_model_is_no_name_of_models(run, tmp_path):
    rows = [[f"q{i}", "yes" if i % 2 else "no", "yes" if i % 3 else "no"] for i in range(30)]
    (tmp_path / "wide.csv").write_text(table(["item", "truth", "model"], rows))
    assert "one model on a test set" in run("predictions", tmp_path / "wide.csv")[1]


@pytest.mark.parametrize(("models", "items", "message"), [
    (1_500, 30_000, "models must share items, but 1,500 models on 30,000 items have only 60,000 rows"),
    (30_000, 30_000, "models must be at most 2,000 to be compared with each other, got 30,000"),
])  # fmt: skip
def test_the_wide_form_is_bounded_by_the_rows(run, tmp_path, models, items, message):
    """Two rows of each item, by models that share hardly any: a table of all models and items has a billion cells."""
    cells = [(f"m{(2 * i + k) % models}", f"q{i}", "cat", "dog") for i in range(items) for k in (0, 1)]
    (tmp_path / "sparse.csv").write_text(table(["model", "item", "prediction", "truth"], cells))
    for command in ("judge", "predictions"):
        code, out, err = run(command, tmp_path / "sparse.csv")
        assert (code, out) == (2, "")
        assert message in err
