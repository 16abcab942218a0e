"""The same margin gives the same conclusion in Python, on the command line and on the page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from doors.problems import Predictions, Scores, Table, as_csv, on_the_command_line, on_the_page

PROBLEMS = {
    "predictions": replace(Predictions.draw(np.random.default_rng(3)), options={"margin": 0.2}),
    "scores": replace(Scores.draw(np.random.default_rng(0), (4, 5)), options={"margin": 0.02}),
    "table": replace(Table.draw(np.random.default_rng(2)), options={"bayes": "none", "margin": 0.05}),
}


def concluded(answer):
    """What is said about the margin."""
    pairs = answer.get("pairs", [answer])
    limits = [[None if end is None else round(end, 9) for end in pair["limits"].values()] for pair in pairs]
    return answer["margin"], [pair["conclusion"] for pair in pairs], limits


@pytest.mark.parametrize("door", PROBLEMS)
def test_every_door(run, reader, tmp_path, door):
    problem = PROBLEMS[door]
    text = as_csv(problem.columns())
    expected = concluded(problem.in_python())
    assert concluded(on_the_command_line(run, tmp_path, problem, text)) == expected
    assert concluded(on_the_page(reader, problem, text)) == expected


def test_the_page_shows_the_conclusion_and_the_same_command(reader):
    text = as_csv(PROBLEMS["predictions"].columns())
    reply = reader.post("/predictions", text=text, filename="data.csv", step="answer", margin="0,2")
    assert "margin 20 points" in reply.text
    assert "--margin=0.2" in reply.text
    assert ">Margin<" in reply.text
    refused = reader.post("/predictions", text=text, filename="data.csv", step="answer", margin="-1")
    assert "Margin must be a number above 0, got -1.0." in refused.alert
