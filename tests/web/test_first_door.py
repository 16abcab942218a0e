"""The first screen: whatever is dropped there is understood and answered, as ``foldwise judge`` does it."""

from __future__ import annotations

import gzip
import io
import json
import shlex
import tempfile
import zipfile
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from web.conftest import HOST, Visitor

import foldwise as fw
from foldwise.cli.main import main
from foldwise.web.app import create_app
from foldwise.web.door_pages import EXAMPLES, example_bytes, example_text
from foldwise.web.limits import Limits
from foldwise.web.uploads import pack, taken, unpack

LOGS = Path(__file__).parents[1] / "reference" / "harnesses"
LM_EVAL = [
    (f"logs/{path.relative_to(LOGS / 'lm_eval')}", path.read_bytes()) for path in LOGS.rglob("lm_eval/*/*.json*")
]
LONG = "model,item,score,topic,passage\n" + "".join(
    f"{name},{i},{int((i * step) % 7 > 2)},t,{i // 4}\n"
    for name, step in {"a": 3, "b": 5, "c": 2}.items()
    for i in range(40)
)


def packed(page):
    (field,) = [value for tag, name, value in page.markup.attributes if tag == "input" and value and len(value) > 500]
    return field


def test_a_folder_of_logs_is_judged_as_the_command_does_it(visitor, tmp_path, monkeypatch, capsys):
    page = visitor.post("/judge", dropped=LM_EVAL, step="answer")
    assert page.status == 200
    assert page.verdict == "acme/alpha-7b is better."
    facts = page.facts()
    assert facts["format"] == "lm-evaluation-harness (6 files)"
    assert facts["models"] == "acme/alpha-7b, acme/beta-7b"
    assert facts["items"] == "70 in 2 tasks"
    assert page.command == "foldwise judge logs"
    for name, content in LM_EVAL:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    monkeypatch.chdir(tmp_path)
    main([*shlex.split(page.command)[1:], "--json"])
    told = json.loads(capsys.readouterr().out)
    kept = json.loads(visitor.post("/judge/report.json", files=packed(page)).text)
    assert {**kept, "repeat": None} == {**told, "repeat": None}


def test_what_decides_between_readings_is_a_choice(reader):
    page = reader.post("/judge", dropped=LM_EVAL, step="look")
    assert page.verdict is None
    for field, value in (("metric", "acc_norm"), ("task", "ferry_choice"), ("groups", "passage")):
        assert page.chosen(field) == ""
        assert f'<option value="{value}">' in page.text
    chosen = {"metric": "exact_match,flexible-extract", "task": "sums_free", "alpha": "0,1"}
    again = reader.post("/judge", files=packed(page), step="answer", **chosen)
    assert again.command == ("foldwise judge logs --metric=exact_match,flexible-extract --task=sums_free --alpha=0.1")
    assert again.facts()["metric"].startswith("exact_match,flexible-extract, higher is better")
    assert again.chosen("task") == "sums_free"
    assert '<option value="ferry_choice">' in again.text  # what was not chosen can still be


def test_what_rows_are_is_asked_where_nobody_can_know(reader):
    page = reader.post("/judge", file=("table.csv", example_text("table.csv")), step="answer")
    assert page.status == 422
    assert "may be data sets" in page.alert
    assert page.chosen("rows") == ""
    again = reader.post("/judge", files=packed(page), step="answer", rows="tasks")
    assert again.verdict.startswith("C4.5+m+cf has the best mean rank")
    assert again.command == "foldwise judge table.csv --rows=tasks"
    assert again.chosen("rows") == "tasks"


def test_two_of_three_models_or_a_control(reader):
    page = reader.post("/judge", file=("long.csv", LONG), step="answer", groups="")
    assert page.facts()["models"] == "a, b, c"
    assert page.chosen("a") == ""
    again = reader.post("/judge", files=packed(page), step="answer", a="c", b="b", groups="passage")
    assert again.facts()["models"] == "c, b" or again.facts()["models"] == "b, c"
    assert "--model=c --model=b --groups=passage" in again.command
    third = reader.post("/judge", files=packed(page), step="answer", baseline="b")
    assert third.command == "foldwise judge long.csv --baseline=b"


@pytest.mark.parametrize("name", ["long.csv.gz", "long.parquet", "long.xlsx", "long.jsonl", "logs.zip"])
def test_any_packing_of_a_long_table(reader, name):
    rows = [line.split(",") for line in LONG.splitlines()]
    if name.endswith("gz"):
        raw = gzip.compress(LONG.encode())
    elif name.endswith("zip"):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("__MACOSX/._long.csv", "rubbish")
            archive.writestr("run/long.csv", LONG)
        raw = buffer.getvalue()
    elif name.endswith("jsonl"):
        raw = "".join(json.dumps(dict(zip(rows[0], row, strict=True))) + "\n" for row in rows[1:]).encode()
    else:
        pd = pytest.importorskip("pandas")
        buffer = io.BytesIO()
        frame = pd.read_csv(io.StringIO(LONG))
        frame.to_parquet(buffer) if name.endswith("parquet") else frame.to_excel(buffer, index=False)
        raw = buffer.getvalue()
    page = reader.post("/judge", file=(name, raw), step="look")
    assert page.status == 200
    assert page.facts()["format"] == "long table (1 file)"
    assert page.facts()["items"] == "40"


def test_archives_of_inspect_are_no_folders(reader):
    logs = [(path.name, path.read_bytes()) for path in sorted((LOGS / "inspect" / "eval").iterdir())]
    page = reader.post("/judge", dropped=logs, step="look")
    assert page.facts()["format"] == "inspect_ai (2 files)"


@pytest.mark.parametrize("door", ["predictions", "scores", "table"])
def test_every_example_that_is_a_table_is_known_at_the_first_door(reader, door):
    page = reader.post("/judge", file=(f"{door}.csv", example_text(f"{door}.csv")), step="look")
    assert page.facts()
    assert "Is it something else? Read it as" in page.text


def test_a_table_that_judge_does_not_take_goes_to_the_door_that_does(reader):
    rows = [(("cat", "dog")[i % 2], (i * 7) % 10 / 10, (i * 3) % 10 / 10) for i in range(40)]
    scores = "truth,a,b\n" + "".join(f"{truth},{a},{b}\n" for truth, a, b in rows)
    page = reader.post("/judge", file=("p.csv", scores), step="look")
    assert 'action="/predictions"' in page.text  # where somebody can say of which class the probabilities are
    assert page.roles() == {"truth": "truth", "a": "classifier", "b": "classifier"}
    alone = reader.post("/judge", text="truth,a\n" + "x,x\nx,y\n" * 9, step="answer")
    assert 'action="/predictions"' in alone.text
    assert alone.facts()["a is right on"] == "9 of 18"
    told = reader.post("/judge", file=("p.csv", scores.replace("cat", "0").replace("dog", "1")), step="look")
    assert told.facts()["metric"].startswith("log_loss, lower is better")


def test_the_same_table_read_at_another_door(reader):
    page = reader.post("/judge", file=("s.csv", example_text("scores.csv")), step="look")
    other = reader.post("/scores", files=packed(page), step="answer")
    assert other.command == "foldwise scores s.csv"
    back = reader.post("/judge", text=example_text("scores.csv"), filename="s.csv", step="answer")
    assert back.command == "foldwise judge s.csv"
    assert back.verdict == other.verdict


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["door"])
def test_an_example_takes_one_click(visitor, example):
    page = visitor.post(f"/{example['door']}", example="1", step="answer")
    assert page.status == 200
    assert page.verdict
    assert "svg" in page.markup.tags


def test_the_set_up_is_folded_away_after_an_answer(visitor):
    page = visitor.post("/scores", example="1", step="answer")
    fold, answer = page.text.index('<details class="setup">'), page.text.index('id="answer"')
    assert fold < page.text.index('id="data"') < page.text.index('id="answer-button"') < answer
    top = page.text.index('<div class="top beside">')
    assert answer < top < page.text.index('data-picture="effect"') < page.text.index("<section>\n", top)
    assert '<details class="setup">' not in visitor.get("/scores?example=1").text


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({}, "There is nothing to look at: drop a file, choose one, or paste its text."),
        ({"file": ("x.bin", bytes(range(256)))}, "x.bin: format not recognised, and no table."),
        ({"file": ("x.gz", gzip.compress(b"a,b\n1,2\n")[:-4])}, "x.gz must be a whole gzip file, but it is damaged"),
        ({"files": "?"}, "The form's own copy of the files is damaged: choose the files again."),
        ({"files": "UEsDBA=="}, "The form's own copy of the files must be a whole archive, but it is damaged"),
        ({"text": "/etc/passwd"}, "data.csv: format not recognised, and no table."),
    ],
)
def test_what_is_refused_in_one_sentence(reader, sent, sentence):
    page = reader.post("/judge", step="answer", **sent)
    assert page.status == 422
    assert page.alert.startswith(sentence)


def test_what_could_not_be_read_leads_back_to_the_first_screen(reader):
    first = next((name, content) for name, content in LM_EVAL if "samples_sums" in name)
    page = reader.post("/judge", dropped=[first], step="answer")
    assert page.alert.startswith("At least two models with one metric on one task are needed to compare, got only")
    assert "Drop files here" in page.text
    assert '<details class="known" open>' in page.text


def test_a_table_of_which_nobody_knows_the_columns_is_shown_with_the_doors(reader):
    page = reader.post("/judge", file=("x.csv", "wahr,baum,wald\n" + "ja,ja,nein\nnein,nein,nein\n" * 9), step="answer")
    assert page.status == 422
    assert page.roles() == dict.fromkeys(("wahr", "baum", "wald"), "not used")
    assert 'formaction="/predictions#understood"' in page.text


def archive_of(*members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("sent", "status", "sentence"),
    [
        ({"file": ("x.csv", b"x" * 3000)}, 413, "The file is larger than 0.002 MB"),
        ({"dropped": [("a.csv", b"x" * 1500), ("b.csv", b"x" * 1500)]}, 413, "The file is larger than 0.002 MB"),
        ({"file": ("x.gz", gzip.compress(b"x" * 3000))}, 503, "x.gz unpacks to more than 2,000 bytes, the limit."),
        ({"file": ("x.zip", archive_of(("a", b"x" * 1500), ("b", b"x" * 1500)))}, 503, "x.zip unpacks to more than"),
        ({"file": ("x.zip", archive_of(*((str(i), b"x") for i in range(5))))}, 503, "x.zip holds 5 files, more than"),
        ({"file": ("x.csv", "a,b\n" + "1,2\n" * 40)}, 422, "The table has about 40 rows, more than the 30"),
        ({"file": ("x.jsonl", '{"a":1}\n' * 40)}, 422, "x.jsonl has about 40 rows, more than the 30"),
        ({"file": ("x.csv", "a,b,c,d,e,f,g\n")}, 422, "The table has 7 columns, more than the 6 allowed here."),
    ],
)  # fmt: skip
def test_the_limits_hold_before_any_process_is_needed(sent, status, sentence):
    app = create_app(limits=Limits(megabytes=0.002, rows=30, columns=6, files=4))
    page = Visitor(TestClient(app, base_url=f"http://{HOST}")).post("/judge", step="answer", **sent)
    assert page.status == status
    assert page.alert.startswith(sentence)


def test_another_site_can_not_send_files(visitor):
    elsewhere = {"Origin": "http://example.org", "Sec-Fetch-Site": "cross-site"}
    for address in ("/judge", "/judge/picture/effect.svg", "/live-example", "/plan/picture/plan.svg"):
        assert visitor.post(address, file=("x.csv", LONG), headers=elsewhere).status == 403
        assert visitor.get(address).status in ((200,) if address == "/judge" else (405, 404))


def test_files_are_gone_after_the_answer_and_were_below_their_folder(visitor, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    outside = "../../../outside.csv"
    page = visitor.post("/judge", dropped=[(outside, LONG.encode())], step="answer")
    assert page.verdict
    assert page.facts()["file"] == "outside.csv"
    assert list(tmp_path.iterdir()) == []


def test_an_archive_is_named_in_the_command_as_it_was_dropped(reader):
    page = reader.post("/judge", dropped=[("logs of May.zip", example_bytes("lm_eval_logs.zip"))], step="answer")
    assert page.command == "foldwise judge 'logs of May.zip'"
    again = reader.post("/judge", files=packed(page), step="answer", alpha="0.1")
    assert again.command == "foldwise judge 'logs of May.zip' --alpha=0.1"


def test_files_travel_in_the_form_and_nothing_is_kept(reader):
    files = taken(
        [("a/x.csv", b"1"), ("b/x.csv", b"2"), ("a/x.csv", b"3"), ("x.csv.gz", gzip.compress(b"4"))], Limits()
    )
    assert [(upload.name, upload.content) for upload in files] == [
        ("a/x.csv", b"1"), ("b/x.csv", b"2"), ("2/a/x.csv", b"3"), ("x.csv.gz", b"4"),
    ]  # fmt: skip
    assert unpack(pack(files), Limits()) == files


def test_the_live_example_follows_its_sliders(reader):
    page = reader.post("/live-example", n="400", points="3")
    assert page.verdict == "No difference is shown."
    assert reader.post("/live-example", n="4000", points="3").verdict == "new is better."
    refused = reader.post("/live-example", n="40000", points="3")
    assert (refused.status, refused.alert) == (422, "N must be from 50 to 5000, got 40000.")


def test_the_example_of_logs_is_what_the_harness_wrote():
    with zipfile.ZipFile(io.BytesIO(example_bytes("lm_eval_logs.zip"))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            name.removeprefix("logs/"): content for name, content in LM_EVAL
        }
    assert fw.judge(LOGS / "lm_eval").main.better == "acme/alpha-7b"
