"""A column of times orders the rows at every door: it is no model, and neighbours may be correlated."""

from __future__ import annotations

import json
from datetime import date, timedelta

import numpy as np
import pytest

import foldwise as fw
from foldwise.cli.main import main
from foldwise.core.errors import InvalidInput
from foldwise.data import read_predictions

RNG = np.random.default_rng(25)
N = 60
DAYS = [str(day) for day in np.datetime64("2024-01-01") + np.arange(N)]
LOSSES = {"alpha": RNG.random(N).round(3), "beta": (RNG.random(N) + 0.2).round(3)}
TRUTH = RNG.integers(0, 2, N)
LABELS = {name: np.where(RNG.random(N) < right, TRUTH, 1 - TRUTH) for name, right in (("alpha", 0.9), ("beta", 0.7))}
ORDER = RNG.permutation(N)
EXPECTED = fw.compare_predictions(None, {"a": LOSSES["alpha"], "b": LOSSES["beta"]}, metric="loss", time=DAYS)


def wide(time="date", rows=range(N)):
    lines = (f"{DAYS[i]},{LOSSES['alpha'][i]},{LOSSES['beta'][i]}" for i in rows)
    return "\n".join([f"{time},alpha,beta", *lines]) + "\n"


def long(times=lambda model, i: DAYS[i], head="model,date,loss", rows=range(N)):
    lines = (f"{model},{times(model, i)},{values[i]}" for model, values in LOSSES.items() for i in rows)
    return "\n".join([head, *lines]) + "\n"


def labels(time="date"):
    lines = (f"{DAYS[i]},{TRUTH[i]},{LABELS['alpha'][i]},{LABELS['beta'][i]}" for i in range(N))
    return "\n".join([f"{time},truth,alpha,beta", *lines]) + "\n"


@pytest.fixture
def told(tmp_path, capsys):
    """What a command says in JSON of a file with this text."""

    def call(command, text, *words):
        path = tmp_path / "loss.csv"
        path.write_text(text, encoding="utf-8")
        main([command, str(path), *words, "--json"])
        return json.loads(capsys.readouterr().out)

    return call


def order_of(told):
    return [one for one in told["reading"] if one["what"] == "order"]


@pytest.mark.parametrize("name", ["date", "Date", "ds", "timestamp", "time"])
def test_a_column_of_times_is_no_model(told, name):
    found = told("predictions", labels(name))
    assert (found["models"], found["test"]) == (["alpha", "beta"], "diebold_mariano")
    assert order_of(found) == [
        {
            "what": "order",
            "value": f"items are in order of column {name!r}",
            "how": "by its name",
            "change": "time='none' (--time none)",
            "code": "order",
        }
    ]
    assert read_predictions(labels(name)).names == ("alpha", "beta")
    assert told("judge", labels(name))["understood"]["models"] == ["alpha", "beta"]


def test_time_is_declared_or_declined(told):
    named = told("predictions", labels("tag"), "--time", "tag")
    assert named["test"] == "diebold_mariano"
    assert order_of(named)[0]["how"] == "declared"
    plain = told("predictions", labels(), "--time", "none")
    assert plain["test"] == "mcnemar"
    assert not order_of(plain)
    assert plain["models"] == ["alpha", "beta"]


@pytest.mark.parametrize("rows", [range(N), ORDER])
@pytest.mark.parametrize("table", [wide, long])
def test_judge_takes_the_order_of_long_and_wide_tables(tmp_path, table, rows):
    path = tmp_path / "loss.csv"
    path.write_text(table(rows=rows), encoding="utf-8")
    c = fw.judge(path).main
    assert c.test == "diebold_mariano"
    assert (c.estimate, c.pvalue) == pytest.approx((EXPECTED.estimate, EXPECTED.pvalue))


def test_judge_takes_a_declared_time(tmp_path, told):
    text = long(times=lambda model, i: f"q{i},{DAYS[i]}", head="model,item,tag,loss")
    assert "diebold_mariano" not in json.dumps(told("judge", text))
    assert "diebold_mariano" in json.dumps(told("judge", text, "--time", "tag"))
    path = tmp_path / "loss.csv"
    assert fw.judge(path, columns={"time": "tag"}).main.pvalue == pytest.approx(EXPECTED.pvalue)
    named = text.replace("tag", "date")
    assert "diebold_mariano" in json.dumps(told("judge", named))
    assert "diebold_mariano" not in json.dumps(told("judge", named, "--time", "none"))


def test_times_at_which_models_were_run_are_no_order_of_items(tmp_path):
    late = {"alpha": 0, "beta": 100}
    text = long(times=lambda model, i: f"q{i},{late[model] + i}", head="model,item,timestamp,loss")
    path = tmp_path / "loss.csv"
    path.write_text(text, encoding="utf-8")
    assert fw.judge(path).main.test == "paired_t"
    with pytest.raises(InvalidInput, match="an item must have one time, but item 'q0' has 0 and 100"):
        fw.judge(path, columns={"time": "timestamp"})


def test_a_run_time_is_a_metric_and_no_order(tmp_path):
    seconds = RNG.random(N).round(4)
    text = long(times=lambda model, i: f"q{i},{seconds[i]}", head="model,item,time,loss")
    path = tmp_path / "loss.csv"
    path.write_text(text, encoding="utf-8")
    assert fw.judge(path, metric="loss").main.test == "paired_t"
    assert "time" in fw.judge(path, metric="loss").understanding.other_metrics


def test_series_are_clusters_and_one_alone_is_none(tmp_path):
    path = tmp_path / "loss.csv"
    shops = [f"shop {i % 6}" for i in range(N)]
    path.write_text(
        long(times=lambda model, i: f"{shops[i]},{DAYS[i // 6]}", head="model,series,ds,loss"), encoding="utf-8"
    )
    c = fw.judge(path).main
    assert c.test == "clustered_t"
    assert any("the order of time is not used" in caveat for caveat in c.caveats)
    path.write_text(long(times=lambda model, i: f"shop,{DAYS[i]}", head="model,series,ds,loss"), encoding="utf-8")
    assert fw.judge(path).main.test == "diebold_mariano"


def test_several_models_and_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"date": pandas.to_datetime(DAYS), **LOSSES, "gamma": LOSSES["alpha"][::-1]})
    m = fw.judge(frame).main
    assert m.procedure.name == "diebold_mariano"
    assert set(m.names) == {"alpha", "beta", "gamma"}


def test_a_metric_that_takes_no_order_says_so(told):
    found = told("predictions", labels(), "--metric", "roc_auc", "--positive", "1")
    assert found["test"] != "diebold_mariano"
    assert any("roc_auc takes no order of time" in caveat for caveat in found["notes"])
    assert not order_of(found)


@pytest.mark.parametrize(
    "form", ["%d.%m.%Y", "%d.%m.%y", "%m/%d/%Y", "%m/%d/%y", "%d/%m/%Y", "%Y/%m/%d", "%d %b %Y", "%B %d, %Y"]
)
def test_dates_are_read_as_people_write_them(tmp_path, form):
    """A column of dates in another form than ISO was passed over, and the items were taken as independent."""
    days = [date(2024, 1, 1) + timedelta(7 * i) for i in range(40)]
    rng = np.random.default_rng(1)
    marks = rng.random((2, 40)).round(3)
    found = []
    for name, written in (("iso", "%Y-%m-%d"), ("other", form)):
        rows = [f'"{day.strftime(written)}",{a},{b}' for day, a, b in zip(days, *marks, strict=True)]
        file = tmp_path / f"{name}.csv"
        file.write_text("\n".join(["Date,new,old", *rng.permutation(rows)]) + "\n")
        found.append(fw.judge(file).main)
    assert {one.test for one in found} == {"diebold_mariano"}
    assert found[0].pvalue == found[1].pvalue


@pytest.mark.parametrize("cells", [["01/12/2024", "02/11/2024"], ["Monday", "Tuesday"]])
def test_times_that_nobody_can_read_are_named(run, tmp_path, cells):
    """1/2/2024 may be the first of February or the second of January; days that tell are needed."""
    rows = "".join(f"{cells[i % 2]},{i % 3},{i % 2}\n" for i in range(30))
    file = tmp_path / "t.csv"
    file.write_text("date,new,old\n" + rows)
    code, out, err = run("judge", file, "--rows", "items")
    assert code == 0, err
    assert "column 'date' holds no readable times" in " ".join(out.split())


@pytest.mark.parametrize(
    "written",
    [
        lambda i: f"Q{1 + i % 4} {2000 + i // 4}",
        lambda i: f"{2000 + i // 4} Q{1 + i % 4}",
        lambda i: f"01/{1 + i % 12:02}/{2000 + i // 12}",  # whichever of the two is the day
    ],
)
def test_quarters_and_dates_of_one_order_are_read(tmp_path, written):
    marks = np.random.default_rng(1).random((2, 40)).round(3)
    rows = [f"{written(i)},{a},{b}" for i, (a, b) in enumerate(marks.T)]
    (tmp_path / "a.csv").write_text("date,new,old\n" + "\n".join(np.random.default_rng(2).permutation(rows)))
    c = fw.judge(tmp_path / "a.csv").main
    assert c.test == "diebold_mariano"
    expected = fw.compare_predictions(None, {"new": marks[0], "old": marks[1]}, time=np.arange(40))
    assert c.pvalue == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("cell", ["2024-02-31", "", "n/a"])
def test_a_few_cells_without_a_date_are_named_instead_of_dropping_the_order(run, tmp_path, cell):
    """One mistyped date among hundreds took the rows for independent."""
    rows = [f"{cell if i == 7 else DAYS[i]},{i % 3},{i % 2}" for i in range(N)]
    (tmp_path / "a.csv").write_text("date,new,old\n" + "\n".join(rows))
    for command in (("predictions", "--truth", "none"), ("judge", "--rows", "items")):
        code, _, err = run(command[0], tmp_path / "a.csv", *command[1:])
        assert code == 2
        assert f"column 'date' holds {cell!r} among dates such as" in err
        assert "--column time=none" in err
        assert run(command[0], tmp_path / "a.csv", *command[1:], "--time", "none")[0] == 0
