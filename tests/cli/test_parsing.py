from __future__ import annotations

import click
import pytest

from foldwise.cli.parsing import Command


@click.command(cls=Command)
@click.argument("learners", nargs=-1)
@click.option("--data", multiple=True)
@click.option("--alpha", multiple=True, type=float)
@click.option("--runs", default="10")
@click.option("--json", "as_json", is_flag=True)
def command(**options):
    return options


def parsed(line):
    found = command.main(line.split(), standalone_mode=False)
    return found["learners"], found["data"], found["runs"], found["as_json"]


@pytest.mark.parametrize(("line", "learners", "data"), [
    ("nb c45 --data iris wine", ("nb", "c45"), ("iris", "wine")),
    ("nb c45 --data iris,wine", ("nb", "c45"), ("iris", "wine")),
    ("nb c45 --data iris --data wine", ("nb", "c45"), ("iris", "wine")),
    ("nb c45 --data=iris,wine", ("nb", "c45"), ("iris", "wine")),
    ("--data iris nb c45", ("nb", "c45"), ("iris",)),
    ("--runs 2 --data iris nb c45", ("nb", "c45"), ("iris",)),
    ("nb --json c45 --data iris", ("nb", "c45"), ("iris",)),
    ("m:SVC(C=1,gamma=2) nb --data iris", ("m:SVC(C=1,gamma=2)", "nb"), ("iris",)),
])  # fmt: skip
def test_words_go_where_people_mean_them(line, learners, data):
    assert parsed(line)[:2] == (learners, data)


def test_the_value_of_another_option_is_left_alone():
    assert parsed("nb c45 --data iris --runs auto --json") == (("nb", "c45"), ("iris",), "auto", True)


def test_numbers_may_be_negative():
    assert command.main(["nb", "--alpha", "0.1", "-0.5"], standalone_mode=False)["alpha"] == (0.1, -0.5)


def test_two_values_of_an_option_that_takes_one_are_refused(run, tmp_path):
    """The last one was taken, and nothing said."""
    path = tmp_path / "a.csv"
    path.write_text("item,a,b\n1,0,1\n2,1,1\n3,1,0\n")
    code, out, err = run("judge", path, "--metric", "accuracy", "--metric=f1")
    assert (code, out, err) == (2, "", "foldwise: --metric takes one value, got 'accuracy' and 'f1'\n")
    assert run("judge", path, "--alpha", "0.05", "--alpha", "0.05")[0] == 0
