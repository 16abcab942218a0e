"""Cost and quality: the frontier, the cheapest model near the best, and what is refused."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput

KINDS = {"large": (0.88, 4.0), "small": (0.65, 0.4), "old": (0.4, 2.0)}


def drawn(seed=0, n=300, kinds=KINDS):
    rng = np.random.default_rng(seed)
    quality = np.array([rng.random(n) < p for p, _ in kinds.values()]).astype(float)
    cost = np.array([rng.gamma(3, c / 3, n) for _, c in kinds.values()])
    return quality, cost


def written(folder, quality, cost, names=tuple(KINDS), gap=None):
    with (folder / "t.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["model", "item", "score", "cost_usd"])
        for m, name in enumerate(names):
            for i in range(quality.shape[1]):
                price = "" if (m, i) == gap else f"{cost[m, i]:.6f}"
                rows.writerow([name, f"q{i}", f"{quality[m, i]:g}", price])
    return folder / "t.csv"


def test_the_command_says_what_the_procedure_finds(run, tmp_path):
    quality, cost = drawn()
    file = written(tmp_path, quality, cost)
    found = inf.frontier(quality, np.round(cost, 6), margin=0.1)
    assert found.status == ("on it", "on it", "dominated")
    code, out, _ = run("frontier", file, "--margin", "10pt", "--json", "--html", tmp_path / "f.html")
    assert code == 0
    said = json.loads(out)
    assert [one["status"] for one in said["models"]] == list(found.status)
    assert [one["cost"] for one in said["models"]] == pytest.approx(found.cost)
    assert said["choice"] == "large"
    assert said["on_frontier"] == ["small", "large"]
    assert "<svg" in (tmp_path / "f.html").read_text()
    text = " ".join(run("frontier", file, "--margin", "10pt")[1].split())
    assert "large is the cheapest that is worse than no other by more than 10 points" in text
    assert "old is dominated" in text


@settings(max_examples=15)
@given(st.integers(0, 1000), st.permutations(range(3)), st.floats(0.1, 50))
def test_order_of_models_and_currency_do_not_matter(seed, order, rate):
    quality, cost = drawn(seed, 80)
    plain = inf.frontier(quality, cost)
    turned = inf.frontier(quality[list(order)], rate * cost[list(order)])
    assert turned.critical == pytest.approx(plain.critical, rel=0.05)  # other draws of one law
    assert np.abs(turned.probability - plain.probability[list(order)]).max() < 0.06
    near = [plain.status[i] for i in order]
    assert sum(a != b for a, b in zip(near, turned.status, strict=True)) <= 1


def test_a_model_against_itself_is_undecided_and_prices_are_known():
    quality, cost = drawn(3)
    same = inf.frontier(quality[[0, 0]], cost[[0, 0]])
    assert same.status == ("undecided", "undecided")
    priced = inf.frontier(quality, np.ones_like(cost) * np.array([[3.0], [2.0], [1.0]]))
    assert priced.cheaper.tolist() == [[False] * 3, [True, False, False], [True, True, False]]
    assert "dominated" not in inf.frontier(quality[:2], np.ones((2, 300))).status  # equal prices: nobody is cheaper


def test_who_is_equal_is_rarely_said_to_be_dominated():
    """400 studies of three models of one quality and cost, 100 items: any claim in at most the level."""
    rng = np.random.default_rng(4)
    claims = []
    for _ in range(400):
        hard = rng.random(100)
        quality = (hard + rng.normal(0, 0.3, (3, 100)) < 0.6).astype(float)
        cost = rng.gamma(3, 1, (3, 100)) * (1 + hard)
        found = inf.frontier(quality, cost)
        claims.append(found.better.any() or found.cheaper.any())
    assert np.mean(claims) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_clusters_make_less_certain():
    quality, cost = drawn(5, 100)
    quality, cost = np.repeat(quality, 5, axis=1), np.repeat(cost, 5, axis=1)
    loose = inf.frontier(quality, cost)
    tight = inf.frontier(quality, cost, groups=np.arange(500) // 5)
    assert tight.units == 100
    assert tight.better.sum() + tight.cheaper.sum() <= loose.better.sum() + loose.cheaper.sum()


def test_bad_costs_get_a_sentence(run, tmp_path):
    quality, cost = drawn(6, 40)
    file = written(tmp_path, quality, cost, gap=(1, 3))
    code, _, err = run("frontier", file)
    assert code == 2
    assert "missing" in err
    assert run("frontier", file, "--missing", "drop")[0] == 0
    code, _, err = run("frontier", file, "--cost", "tokens")
    assert (code, "cost must be among what the files measure" in err) == (2, True)
    lines = [line.rsplit(",", 1)[0] for line in file.read_text().splitlines()]
    (tmp_path / "no.csv").write_text("\n".join(lines))
    with pytest.raises(InvalidInput, match="no metric is called like a cost among score"):
        fw.frontier(tmp_path / "no.csv")
    with pytest.raises(InvalidInput, match="models × items"):
        inf.frontier(quality, cost[:, :5])


def test_a_frontier_read_back_from_json_is_the_same(tmp_path):
    for margin in (None, "10pt"):
        found = fw.frontier(written(tmp_path, *drawn()), margin=margin, random_state=3)
        again = fw.Frontier.from_dict(json.loads(json.dumps(found.to_dict())))
        assert type(again) is fw.Frontier
        assert (str(again), again.details(), again.to_dict()) == (str(found), found.details(), found.to_dict())
        assert again.to_html() == found.to_html()


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("", "no cost_usd may be missing, but item 'q0' of 'large' is missing .*--missing drop$"),
        ("-1", "cost_usd must be 0 or more, but an item of large has -1: leave the cell empty"),
        ("$1", r"line 2: column 'cost_usd' must hold numbers, got '.1'"),
    ],
)
def test_costs_that_are_none_get_one_sentence(run, tmp_path, cell, message):
    lines = written(tmp_path, *drawn(n=30)).read_text().splitlines()
    lines[1] = ",".join([*lines[1].split(",")[:3], cell])
    (tmp_path / "t.csv").write_text("\n".join(lines))
    code, _, err = run("frontier", tmp_path / "t.csv")
    assert (code, err.count("\n")) == (2, 1)
    assert re.search(message, err.strip())


def test_a_model_without_any_cost_is_named(run, tmp_path):
    lines = written(tmp_path, *drawn(n=30)).read_text().splitlines()
    lines = [",".join([*line.split(",")[:3], ""]) if line.startswith("old") else line for line in lines]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    code, _, err = run("frontier", tmp_path / "t.csv", "--missing", "drop")
    assert (code, "every model must have its cost_usd, but old has none: leave it out" in err) == (2, True)


def test_equal_models_are_rarely_told_apart_by_the_verb():
    """600 draws of two models alike in quality and cost; the draws behind the critical value do not tilt it."""
    rng = np.random.default_rng(25)
    shown = 0
    for _ in range(600):
        hard = rng.random(100)
        right = (0.6 * hard + 0.4 * rng.random((2, 100)) < 0.6).astype(float)
        shown += inf.frontier(right, rng.gamma(3, 1, (2, 100))).status != ("undecided", "undecided")
    assert shown / 600 < 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / 600)
