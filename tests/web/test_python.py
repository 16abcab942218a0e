"""The Python below an answer of the page gives the same answer as the command above it."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape

import pytest

from foldwise.cli.main import main
from foldwise.web.door_pages import example_bytes, example_text

CLUSTERED = "truth;a;b;group;day\n" + "".join(
    f"{'xy'[i % 2]};{'xy'[i % 2 if i % 7 else 0]};{'xy'[i % 3 == 0]};g{i % 12};2024-01-{1 + i % 28:02d}\n"
    for i in range(96)
)  # fmt: skip
MARKS = "item,new,old\n" + "".join(f"q{i},{int(i % 5 > 0)},{int(i % 3 > 0)}\n" for i in range(90))
THREE = "item,a,b,c\n" + "".join(f"q{i},{int(i % 5 > 0)},{int(i % 3 > 0)},{i % 2}\n" for i in range(90))


def python_of(page):
    return unescape(re.search(r'<p class="label">In Python</p>\s*<pre><code>(.*?)</code>', page.text, re.DOTALL)[1])


CASES = [
    ("predictions", "predictions.csv", example_text("predictions.csv"), {}),
    ("predictions", "d.csv", example_text("predictions.csv"),
     {"test": "mcnemar_exact", "margin": "2pt", "candidate": "tree", "baseline": "naive bayes", "alpha": "0,1"}),
    ("predictions", "d.csv", example_text("predictions.csv"), {"metric": "f1", "positive": "malignant"}),
    ("predictions", "d.csv", CLUSTERED, {"time": "none", "rope": "2pt"}),
    ("predictions", "d.csv", CLUSTERED, {"groups": "none"}),
    ("predictions", "d.csv", MARKS, {"truth": "none", "metric": "error", "direction": "lower"}),
    ("predictions", "d.csv", THREE, {"truth": "none", "adjust": "max_t", "baseline": "c", "margin": "0.05"}),
    ("scores", "s.csv", example_text("scores.csv"), {}),
    ("scores", "s.csv", example_text("scores.csv"),
     {"a": "tree", "b": "naive bayes", "test": "use_all_data", "margin": "1pt"}),
    ("scores", "s.csv", "split;a;b\n" + "".join(f"{i};0,{80 + i % 5};0,{75 + i % 3}\n" for i in range(12)),
     {"n_train": "200", "n_test": "100", "metric": "log loss"}),
    ("table", "t.csv", example_text("table.csv"), {}),
    ("table", "t.csv", example_text("table.csv"),
     {"test": "sign", "adjust": "hommel", "baseline": "C4.5", "metric": "error", "omnibus": "friedman",
      "bayes": "none"}),
    ("interval", "errors.csv", "", {"errors": "3", "n": "50", "method": "wilson", "confidence": "0.9"}),
    ("judge", "m.csv", THREE, {"candidate": "a", "baseline": "b", "margin": "3pt", "column_item": "item"}),
    ("leaderboard", "m.csv", THREE, {"new": "c", "alpha": "0.01"}),
    ("frontier", "board.csv", example_bytes("board.csv").decode(), {"margin": "0.02"}),
]  # fmt: skip


@pytest.mark.parametrize(("door", "name", "text", "fields"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)])
def test_python_and_the_command_say_the_same(reader, tmp_path, monkeypatch, capsys, door, name, text, fields):
    files = door in ("judge", "leaderboard", "frontier")
    brought = {"file": (name, text)} if files else {"text": text, "filename": name}
    page = reader.post(f"/{door}", **brought)
    if "file" in brought:
        brought = {"files": re.search(r'name="files" value="([^"]*)"', page.text)[1]}
    page = reader.post(f"/{door}", step="answer", **brought, **fields)
    assert page.alert is None
    (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main([*shlex.split(page.command)[1:], "--json"])
    told = numbers(json.loads(capsys.readouterr().out))
    names = {}
    exec(python_of(page), names)
    found = numbers(names["result"].to_dict())
    assert told
    assert found == told


def numbers(answer):
    """What was found: pairs, places or intervals, whoever asked."""
    first = next(iter(answer.get("verdicts", {}).values()), answer)
    wanted = ("pairs", "models", "places", "rows", "intervals", "points", "frontier", "entry")
    return {name: first[name] for name in wanted if name in first}


@pytest.mark.parametrize("fields", [{"seed_column": "seed", "truth": "none"}])
def test_where_no_verb_takes_such_rows_there_is_no_python(reader, fields):
    text = "seed,item,a,b\n" + "".join(f"{s},q{i},{(i + s) % 2},{i % 2}\n" for s in range(4) for i in range(20))
    page = reader.post("/predictions", text=text, filename="d.csv", step="answer", **fields)
    assert page.verdict
    assert "In Python" not in page.text
