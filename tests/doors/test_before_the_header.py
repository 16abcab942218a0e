"""What stands before a header or around a number, and can be nothing else, is read at every door."""

from __future__ import annotations

import random

import pytest
from doors.test_roles import found, refusal, run, write

import foldwise as fw

__all__ = ["run"]

DRAW = random.Random(8)
ROWS = [(f"q{i}", model, round(DRAW.random(), 3)) for i in range(20) for model in "ab"]
PLAIN = "item,model,loss\n" + "".join(f"{item},{model},{loss}\n" for item, model, loss in ROWS)


@pytest.mark.parametrize(
    "text",
    [
        "# exported on a Tuesday\n# by a script, from a database, for all\n" + PLAIN,
        "#\n" + PLAIN,
        "sep=;\n" + PLAIN.replace(",", ";"),
        "sep=,\r\n" + PLAIN.replace("\n", "\r\n"),
        "sep=;\n# and a comment\n" + PLAIN.replace(",", ";"),
        PLAIN.replace("item,", "# item,", 1),
    ],
)
def test_comments_and_the_separator_before_the_header(run, reader, tmp_path, text):
    file = tmp_path / "t.csv"
    file.write_text(PLAIN)
    expected = fw.judge(file).main
    file.write_text(text)
    columns = {"item": "# item"} if "# item" in text else None
    assert fw.judge(file, columns=columns).main.pvalue == expected.pvalue
    words = ("--column", "item=# item") if columns else ()
    assert found(run, "judge", file, *words)["verdicts"][""]["pvalue"] == expected.pvalue
    if not columns:
        page = reader.post("/judge", dropped=[("t.csv", text)], step="answer")
        assert page.facts()["models"] == "a, b"


def test_lines_keep_their_numbers(run, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("sep=,\n# a comment\n" + PLAIN + "q99,a\n")
    assert f"line {len(ROWS) + 4} has 2 cells" in refusal(run, "judge", file)


def test_many_comments_are_read_in_time(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("# one more line\n" * 200_000 + PLAIN)
    with pytest.raises(fw.FoldwiseError):  # more than a header can stand after
        fw.judge(file)


@pytest.mark.parametrize("form", ["1,{}.5", "**1{}.5**", "__1{}.5__", "*1{}.5* ± 2.0"])
def test_numbers_that_can_be_nothing_else(run, reader, tmp_path, form):
    values = [f"{DRAW.randint(100, 999)}" for _ in ROWS]
    plain = [(item, model, f"1{value}.5") for (item, model, _), value in zip(ROWS, values, strict=True)]
    expected = fw.judge(write(tmp_path / "plain.csv", ("item", "model", "latency"), plain)).main
    rows = [(item, model, f'"{form.format(value)}"') for (item, model, _), value in zip(ROWS, values, strict=True)]
    file = write(tmp_path / "t.csv", ("item", "model", "latency"), rows)
    assert fw.judge(file).main.pvalue == expected.pvalue
    assert found(run, "judge", file)["verdicts"][""]["pvalue"] == expected.pvalue
    page = reader.post("/judge", dropped=[("t.csv", file.read_text())], step="answer")
    assert page.facts()["models"] == "a, b"


def test_a_comma_before_three_digits_is_refused(run, reader, tmp_path):
    rows = [(item, model, f'"1,{DRAW.randint(100, 999)}"') for item, model, _ in ROWS]
    file = write(tmp_path / "t.csv", ("item", "model", "latency"), rows)
    assert "write decimals with a point, and thousands without a comma" in refusal(run, "judge", file)
    with pytest.raises(fw.FoldwiseError, match="thousands without a comma"):
        fw.judge(file)
    page = reader.post("/judge", dropped=[("t.csv", file.read_text())], step="answer")
    assert "thousands without a comma" in page.alert


def test_thousands_among_predictions(run, tmp_path):
    """Texts that are right or wrong, before: accuracy 0 of both models."""
    true = [1000 + 9000 * DRAW.random() for _ in range(60)]
    said = [[x + DRAW.gauss(0, spread) for x in true] for spread in (50, 90)]
    rows = [[f'"{x:,.1f}"' for x in row] for row in zip(true, *said, strict=True)]
    file = write(tmp_path / "t.csv", ("truth", "a", "b"), rows)
    assert "different numbers" in refusal(run, "predictions", file)
    true, *said = ([round(x, 1) for x in column] for column in (true, *said))
    c = fw.compare_predictions(true, dict(zip("ab", said, strict=True)), metric="rmse")
    assert found(run, "predictions", file, "--metric", "rmse")["pvalue"] == pytest.approx(c.pvalue)
