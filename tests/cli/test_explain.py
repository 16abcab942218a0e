"""``foldwise explain``: what a code means."""

from __future__ import annotations

import json

from foldwise.core.decisions import explanations


def test_a_code_is_explained(run):
    code, out, _ = run("explain", "few-clusters")
    assert code == 0
    assert all(word in out for word in ("means", "matters", "what to do", "foldwise plan"))


def test_without_a_code_all_are_listed(run):
    out = run("explain")[1]
    assert all(code in out for code in explanations())
    assert [one["code"] for one in json.loads(run("explain", "--json")[1])["codes"]] == list(explanations())


def test_json_of_one_code(run):
    found = json.loads(run("explain", "direction", "--json")[1])
    assert found["do"] == explanations()["direction"].do


def test_an_unknown_code_gets_the_nearest(run):
    code, _, err = run("explain", "few-cluster")
    assert code == 2
    assert "unknown code 'few-cluster'" in err
    assert "few-clusters" in err


def test_a_wrong_option_gets_the_corrected_command(run):
    code, _, err = run("predictions", "a.csv", "--metrc", "f1")
    assert code == 2
    assert "foldwise predictions a.csv --metric f1" in err


def test_a_wrong_command_gets_the_corrected_one(run):
    code, _, err = run("predicions", "a.csv", "--metric", "f1")
    assert code == 2
    assert "foldwise predictions a.csv --metric f1" in err
