"""Identifiers, dates and text that differs in every row are named and left out; numbers in other spellings are read."""

from __future__ import annotations

import datetime as dt
import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from verb_options import with_options

import foldwise as fw
from foldwise.cli.main import main
from foldwise.core.errors import InvalidInput

N = 40
RNG = np.random.default_rng(0)
PLAIN = {
    "age": [str(age) for age in RNG.integers(18, 80, N)],
    "colour": [("red", "blue", "green")[i % 3] for i in range(N)],
    "y": [str(i % 2) for i in range(N)],
}
DAYS = [dt.date(2024, 1, 1) + dt.timedelta(days=3 * i) for i in range(N)]


def written(folder, columns, separator=","):
    path = folder / "t.csv"
    rows = zip(*columns.values(), strict=True)
    cells = [separator.join(f'"{cell}"' for cell in row) for row in (columns, *rows)]
    path.write_text("\n".join(cells))
    return path


def with_column(name, cells):
    return {name: [str(cell) for cell in cells], **PLAIN}


KEYS = {
    "customer_id": range(1000, 1000 + N),
    "CustomerID": [f"c{i:03}" for i in range(N)],
    "id": range(N),
    "index": range(N),
    "uuid": [f"{i:08x}-aa" for i in range(N)],
    "signup_date": DAYS,
    "seen": [f"{day:%d.%m.%Y}" for day in DAYS],
    "when": [f"{day:%m/%d/%Y}" for day in DAYS],
    "at": [f"{day}T12:30:00" for day in DAYS],
    "date": [f"{day:%Y%m%d}" for day in DAYS],
    "comment": [f"text number {i}" for i in range(N)],
}


@pytest.mark.parametrize("name", KEYS)
def test_a_column_that_is_no_attribute_changes_nothing_and_is_named(name, tmp_path):
    plain = fw.load(written(tmp_path, PLAIN))
    data = fw.load(written(tmp_path, with_column(name, KEYS[name])))
    assert data.hash == plain.hash
    (decision,) = data.decisions
    assert f"column {name!r} left out" in decision.value
    assert decision.change == f"keep=[{name!r}] (--keep {name})"
    assert name in str(data)
    kept = fw.load(tmp_path / "t.csv", keep=[name])
    assert (name in kept.feature_names, kept.decisions) == (True, ())


@pytest.mark.parametrize(
    ("name", "cells"),
    {
        "store_id": [i % 5 for i in range(N)],  # not different in every row
        "refractive index": RNG.normal(size=N),
        "date": [("april", "may")[i % 2] for i in range(N)],
        "income": RNG.permutation(N) * 1000,
        "year": [2000 + i % 20 for i in range(N)],
    }.items(),
)
def test_attributes_stay(name, cells, tmp_path):
    data = fw.load(written(tmp_path, with_column(name, cells)))
    assert (data.feature_names, data.decisions) == ((name, "age", "colour"), ())


def test_compare_names_what_it_left_out_at_every_door(tmp_path, capsys):
    plain = fw.load(written(tmp_path, PLAIN))
    path = written(tmp_path, {"customer_id": list(map(str, range(N))), "signup": list(map(str, DAYS)), **PLAIN})
    data = fw.load(path)
    options = {"runs": 2, "folds": 5, "data_name": "t"}
    found, expected = (fw.compare(["nb", "majority"], X, **with_options(options)) for X in (data, plain))
    without = [
        {k: v for k, v in c.to_dict().items() if k not in ("notes", "note_codes", "subject")} for c in (found, expected)
    ]
    assert without[0] == without[1]
    assert sum("left out" in caveat for caveat in found.caveats) == 2
    assert any("'signup' left out" in caveat for caveat in fw.estimate_error("nb", data).caveats)
    main(["compare", "nb", "majority", "--data", str(path), "--runs", "2", "--folds", "5"])
    assert "--keep customer_id" in " ".join(capsys.readouterr().out.split())
    main(["estimate", "nb", "--data", str(path), "--keep", "customer_id"])
    out = " ".join(capsys.readouterr().out.split())
    assert "--keep signup" in out
    assert "'customer_id' left out" not in out
    main(["data", "describe", str(path), "--json"])
    assert [one["what"] for one in json.loads(capsys.readouterr().out)["decisions"]] == ["column", "column"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(N)), place=st.integers(0, 2), name=st.sampled_from(sorted(KEYS)))
def test_wherever_it_stands_and_whatever_the_order_of_its_rows(tmp_path, order, place, name):
    items = list(PLAIN.items())
    items.insert(place, (name, [str(list(KEYS[name])[i]) for i in order]))
    assert fw.load(written(tmp_path, dict(items))).hash == fw.load(written(tmp_path, PLAIN)).hash


def test_a_group_is_no_key_and_only_keys_are_no_data_set(tmp_path):
    path = written(tmp_path, with_column("customer_id", range(N)))
    assert fw.load(path, groups="customer_id").groups.tolist() == list(range(N))
    with pytest.raises(InvalidInput, match=r"drop and keep must not both name column 'age'"):
        fw.load(path, keep=["age"], drop=["age"])
    path = written(tmp_path, {"customer_id": list(map(str, range(N))), "y": PLAIN["y"]})
    with pytest.raises(InvalidInput, match=r"has no attribute: column 'customer_id' left out"):
        fw.load(path)


def test_a_declared_attribute_stays_unless_its_name_says_key(tmp_path):
    names = ",".join(f"a{i}" for i in range(N))
    rows = "\n".join(f"a{i},{i},{'pq'[i % 2]}" for i in range(N))
    text = f"@relation r\n@attribute animal {{{names}}}\n@attribute NAME real\n@attribute class {{p,q}}\n"
    for name, kept in (("size", ("animal", "size")), ("row_id", ("animal",))):
        (tmp_path / "t.arff").write_text(text.replace("NAME", name) + f"@data\n{rows}\n")
        assert fw.load(tmp_path / "t.arff").feature_names == kept


def test_dates_and_text_of_arff_are_no_attributes(tmp_path):
    rows = "\n".join(f"{i},2024-01-{i % 28 + 1:02}T00:00:00,'text {i}',w{i % 3},{'pq'[i % 2]}" for i in range(N))
    head = "@attribute size real\n@attribute when date\n@attribute note string\n@attribute word string\n"
    (tmp_path / "t.arff").write_text(f"@relation r\n{head}@attribute class {{p,q}}\n@data\n{rows}\n")
    data = fw.load(tmp_path / "t.arff")
    assert data.feature_names == ("size", "word")
    assert [one.value for one in data.decisions] == [
        "column 'when' left out: a date",
        f"column 'note' left out: text with {N} different values in {N} rows",
    ]
    assert fw.load(tmp_path / "t.arff", keep=["when"]).feature_names == ("size", "when", "word")


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["52,31", "7", "-0,5"], [52.31, 7, -0.5]),
        (["1.234,5", "2", "1.000.000,25"], [1234.5, 2, 1000000.25]),
        (["1,234.5", "12", "1,000,000"], [1234.5, 12, 1000000]),
        (["82.1%", "7 %", ""], [82.1, 7, np.nan]),
    ],
)
def test_numbers_in_other_spellings_are_numbers(cells, values, tmp_path):
    data = fw.load(written(tmp_path, {"x": cells, "z": ["1", "2", "1"], "y": ["a", "b", "a"]}))
    assert data.X.kinds == ("numeric", "numeric")
    np.testing.assert_array_equal(data.X.values[:, 0], values)


def test_what_may_be_two_numbers_is_refused_unless_the_file_tells(tmp_path):
    columns = {"x": ["1,234", "2,500"], "z": ["1", "2"], "y": ["a", "b"]}
    with pytest.raises(InvalidInput, match=r"column 'x' has '1,234', in which the comma may stand for dec"):
        fw.load(written(tmp_path, columns))
    data = fw.load(written(tmp_path, columns, ";"))
    assert data.X.values[:, 0].tolist() == [1.234, 2.5]
    units = {"x": ["12 kg", "7 kg"], "z": ["1", "2"], "y": ["a", "b"]}
    assert fw.load(written(tmp_path, units)).X.kinds == ("nominal", "numeric")
