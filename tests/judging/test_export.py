"""What was compared, written for others as instances of Every Eval Ever, and read again."""

import json
from pathlib import Path

import numpy as np
import pytest

from foldwise.cli.main import main
from foldwise.comparison import judge
from foldwise.comparison.options import Options
from foldwise.core.errors import InvalidInput

HARNESSES = Path(__file__).parents[1] / "reference" / "harnesses"
REQUIRED = {
    "schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type", "input",
    "answer_attribution", "evaluation", "output",
}  # fmt: skip
OPTIONAL = {"error", "metadata"}


def command(*words):
    try:
        main(["judge", *map(str, words)])
    except SystemExit as left:
        return left.code
    return 0


@pytest.mark.parametrize(
    ("folder", "options"),
    [
        ("lm_eval", ["--metric", "acc"]),
        ("lm_eval", ["--task", "sums_free"]),
        ("inspect/eval", ["--metric", "letter", "--missing", "worst"]),
    ],
)
def test_the_verdict_of_what_was_written_is_the_same(tmp_path, capsys, folder, options):
    assert command(HARNESSES / folder, *options, "--json", "--export", tmp_path / "out.jsonl") == 0
    first = json.loads(capsys.readouterr().out)
    assert command(tmp_path / "out.jsonl", "--json", *options[2:]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["understood"]["formats"] == {"Every Eval Ever": 1}
    for key in ("models", "trials", "clusters", "higher_is_better"):
        assert again["understood"][key] == first["understood"][key]
    (one,), (other,) = first["verdicts"].values(), again["verdicts"].values()
    for key in ("test", "estimate", "pvalue", "interval", "better"):
        assert other[key] == one[key]


def test_lines_have_the_fields_of_the_schema_with_its_types(tmp_path):
    judge(HARNESSES / "inspect" / "eval", metric="letter", options=Options(inner=True)).export(tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(lines) == 72
    for line in lines:
        assert set(line) - OPTIONAL == REQUIRED
        assert type(line["evaluation"]["score"]) is float
        assert type(line["evaluation"]["is_correct"]) is bool
        assert all(isinstance(value, str) for value in line["metadata"].values())
        assert isinstance(line["output"]["raw"], list)
    assert sum("error" in line for line in lines) == 11


def test_clusters_and_direction_survive(tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"{m},q{q},p{q // 4},{rng.random() + s:.3f}" for m, s in (("a", 0), ("b", 0.5)) for q in range(24)]
    (tmp_path / "in.csv").write_text("model,item,passage,loss\n" + "\n".join(rows))
    first = judge(tmp_path / "in.csv", groups="passage", higher_is_better=False)
    first.export(tmp_path / "out.jsonl")
    again = judge(tmp_path / "out.jsonl", groups="passage")
    assert not again.understanding.higher_is_better
    assert (again.main.better, again.main.pvalue) == ("a", first.main.pvalue)


def test_what_has_no_items_is_not_exported(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("dataset,a,b\n" + "\n".join(f"d{i},0.{i},0.{i + 1}" for i in range(1, 8)))
    with pytest.raises(InvalidInput, match="export is for values of items, but these belong to tasks"):
        judge(tmp_path).export(tmp_path / "out.jsonl")
    assert command(tmp_path / "t.csv", "--explain", "--export", tmp_path / "o.jsonl") == 2
    assert "--export has nothing to write" in capsys.readouterr().err
