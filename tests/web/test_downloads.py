from __future__ import annotations

import io
import json
import zipfile

import pytest
from report.markup import Markup

from foldwise.web.door_pages import example_text


def test_the_report_is_one_self_contained_page(visitor):
    text = example_text("predictions.csv")
    reply = visitor.post("/predictions/report.html", text=text, filename="my data.csv", a="tree", b="naive bayes")
    assert reply.status == 200
    assert reply.headers["content-disposition"] == 'attachment; filename="my data-report.html"'
    assert reply.headers["content-type"].startswith("text/html")
    page = Markup(reply.text)
    assert "tree vs naive bayes" in page.text
    assert not page.values("src")
    assert "script" not in page.tags
    assert "foldwise predictions 'my data.csv' --a=tree '--b=naive bayes'" in page.text


def test_json_has_the_keys_of_the_command(visitor):
    reply = visitor.post("/interval/report.json", errors="3", n="50")
    assert reply.headers["content-disposition"] == 'attachment; filename="interval-report.json"'
    assert json.loads(reply.text)["errors"] == 3


def test_the_paper_kit_is_an_archive(visitor):
    text = "set,a,b,c\n" + "\n".join(f"s{i},0.{70 + i},0.{80 - i},0.{60 + i}" for i in range(6))
    reply = visitor.post("/table/report.zip", text=text, filename="mine.csv")
    assert reply.headers["content-disposition"] == 'attachment; filename="mine-paper.zip"'
    with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
        assert {"methods.tex", "scores.tex", "effects.tex", "ranks.tex", "paper.tex"} <= set(archive.namelist())


def test_a_name_with_anything_in_it(visitor):
    name = '../a"b\r\nSet-Cookie: x\\größe;.csv'
    reply = visitor.post("/interval/report.json", file=(name, b"truth,a\nx,x\ny,x\n"))
    assert reply.status == 200
    assert "set-cookie" not in reply.headers
    assert reply.headers["content-disposition"].isascii()


def test_what_cannot_be_answered_is_no_file(visitor):
    reply = visitor.post("/predictions/report.html", text="truth,a,b\n")
    assert reply.status == 422
    assert "content-disposition" not in reply.headers
    assert reply.alert


BEGINS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


MINE = {"text": example_text("scores.csv"), "filename": "mine.csv"}


@pytest.fixture(scope="module")
def answered(visitor):
    return visitor.post("/scores", step="answer", **MINE)


@pytest.mark.parametrize("kind", BEGINS)
def test_every_picture_as_a_file(visitor, answered, kind):
    places = [place for place in answered.markup.values("formaction") if place.endswith(f".{kind}")]
    assert len(places) == answered.text.count("<figure") > 3
    reply = visitor.post(places[0], **MINE)
    assert reply.status == 200
    assert reply.content.startswith(BEGINS[kind])
    assert reply.headers["content-disposition"] == f'attachment; filename="mine-effect.{kind}"'


def test_the_picture_of_a_plan(visitor):
    reply = visitor.post("/plan/picture/plan.svg", test="mcnemar", find="size", difference="0.05", discordance="0.1")
    assert reply.headers["content-disposition"] == 'attachment; filename="plan-plan.svg"'
    assert reply.content.startswith(b"<?xml")
    assert 'formaction="/plan/picture/plan.pdf"' in visitor.get("/plan").text


@pytest.mark.parametrize(
    ("place", "status"), [("effect.gif", 404), ("effects.svg", 422), ("..%2Fx.svg", 404), ("heat_map.svg", 200)]
)
def test_pictures_that_are_not_there(visitor, place, status):
    assert visitor.post(f"/scores/picture/{place}", text=example_text("scores.csv")).status == status
