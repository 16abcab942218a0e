from __future__ import annotations

import gzip
import json

import pytest

from foldwise.web.door_pages import example_text

TABLE = "truth,größe,baum\n" + "ja,ja,nein\nnein,nein,nein\n" * 20
SCRIPT = "<script>alert(1)</script>"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_encodings_and_separators_that_are_understood(reader, encoding, delimiter):
    raw = TABLE.replace(",", delimiter).encode(encoding)
    page = reader.post("/predictions", file=("datei.csv", raw), step="look")
    assert page.status == 200
    assert page.roles() == {"truth": "truth", "größe": "classifier", "baum": "classifier"}
    assert "datei.csv" in page.markup.text
    answer = reader.post("/predictions/report.json", file=("datei.csv", raw))  # spares the pictures of a page
    assert json.loads(answer.text)["better"] == "größe"


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "file.csv is empty: a header line and at least one row are needed."),
        (b"\n\n  \n", "file.csv is empty: a header line and at least one row are needed."),
        (b"\xef\xbb\xbf", "file.csv is empty: a header line and at least one row are needed."),
        (b"truth,a,b\n", "file.csv has a header line but no rows."),
        (b"1,2,3\n4,5,6\n", "file.csv: the first line must name the columns, but holds only numbers: 1 …"),
        (b"a,b,a\n1,2,3\n", "file.csv: 2 columns have the name 'a'; names must differ."),
        (b"a,b\n1,2,3\n", "file.csv, line 2 has 3 cells where the header has 2."),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "file.csv is a binary file, not text in UTF-8, UTF-16 or Windows-1252."),
        (bytes(range(256)), "file.csv is a binary file, not text in UTF-8, UTF-16 or Windows-1252."),
        (b"\xff\xfe\x00", "file.csv is a binary file, not text in UTF-8, UTF-16 or Windows-1252."),
        (gzip.compress(TABLE.encode(), mtime=0)[:-4], "file.csv must be a whole gzip file, but it is damaged"),
        (b"PK\x03\x04\x14\0", "file.csv must be a whole archive, but it is damaged"),
        (b'truth,a,b\n"x,x,y\n', "file.csv, line 2 is not well-formed: unexpected end of data."),
        (b"a" * 200_000, "file.csv, line 1 is not well-formed: field larger than field limit (131072)."),
        (b"truth,a,b\n,x,y\n", "file.csv, line 2: column 'truth' must hold a label, got ''."),
    ],
)  # fmt: skip
def test_files_that_are_refused_in_one_sentence(reader, raw, sentence):
    page = reader.post("/predictions", file=("file.csv", raw), step="answer")
    assert page.status == 422
    assert page.alert.startswith(sentence)
    assert page.verdict is None
    assert page.markup


@pytest.mark.parametrize("text", ["/etc/passwd", "-", "data.csv", "../examples/predictions.csv"])
def test_pasted_text_is_never_taken_for_a_file(reader, text):
    page = reader.post("/predictions", text=text, step="answer")
    assert page.status == 422
    assert page.alert.startswith("The text has a header line but no rows")


def test_decimal_commas(reader):
    text = example_text("table.csv").replace(",", ";").replace("0.", "0,")
    page = reader.post("/table", text=text, step="answer")
    assert page.verdict.startswith("C4.5+m+cf has the best mean rank")


@pytest.mark.parametrize("door", ["predictions", "scores", "table", "interval"])
def test_scripts_in_cells_names_and_files_are_text(visitor, door):
    text = f"data,'{SCRIPT},</textarea>{SCRIPT}\n" + "".join(f"{SCRIPT}{i},0.{i + 1},0.{9 - i}\n" for i in range(8))
    fields = {"n_train": "20", "n_test": "10", "metric": SCRIPT, "alpha": "0.05"}
    if door == "scores":
        text = text.replace("data,", "split,", 1)
    if door == "predictions":
        text = text.replace(",0.", f",{SCRIPT}")
        refused = visitor.post(f"/{door}", text=text, step="answer", **fields)
        assert refused.alert.startswith(f"Unknown metric {SCRIPT!r}")
        assert refused.text.count("<script") == 2
        fields["metric"] = "accuracy"
    page = visitor.post(f"/{door}", file=(f"{SCRIPT}.csv", text.encode()), step="look")
    page = visitor.post(f"/{door}", text=text, filename=SCRIPT, step="answer", **fields)
    assert page.verdict is not None
    for tag, name, _ in page.markup.attributes:
        assert not name.startswith("on"), tag
    assert page.text.count("<script") == 2
    assert "alert(1)" in page.markup.text


def test_formulas_in_cells_are_shown_as_they_are(reader):
    text = "truth,=cmd|' /C calc'!A0,+SUM(A1)\n" + "x,x,y\n" * 20
    page = reader.post("/predictions", text=text, step="answer")
    assert page.verdict == "=cmd|' /C calc'!A0 is better."
    assert "+SUM(A1)" in page.roles()


def test_a_long_text_travels_in_a_hidden_field(reader):
    text = "truth,a,b\n" + "yes,yes,no\n" * 8000
    page = reader.post("/predictions", text=text, filename="long.csv", step="answer")
    assert page.verdict == "a is better."
    assert [value for value in page.markup.values("value") if value and len(value) > 60_000] == [text]
    assert "textarea" not in page.markup.tags


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"not a form", "text/plain"),
        (b"{}", "application/json"),
        (b"garbage", "multipart/form-data; boundary=x"),
        (b"--x", "multipart/form-data"),
        (b"", ""),
    ],
)
def test_requests_that_are_no_forms(reader, content, kind):
    reply = reader.send("/predictions", content, **{"Content-Type": kind})
    assert reply.status == 400
    assert reply.alert == "The request is not a form that this page knows."


def form(*parts, end="--x--\r\n"):
    return (
        "".join(f"--x\r\nContent-Disposition: form-data; {head}\r\n\r\n{text}\r\n" for head, text in parts) + end
    ).encode()


TEXT, STEP = ('name="text"', "truth,a,b\nx,x,y\n"), ('name="step"', "answer")
ABUSES = {
    "without an end": (form(TEXT, end=""), 422),
    "a field without a name": (form(("", "x")), 400),
    "2,000 fields": (form(*((f'name="f{i}"', "1") for i in range(2000))), 400),
    "2,000 files": (form(*((f'name="file"; filename="{i}.csv"', "a,b") for i in range(2000))), 400),
    "a field 200 times": (form(TEXT, *[STEP] * 200), 400),
    "a long header": (form((f'name="text"\r\nX: {"y" * 100_000}', "a")), 400),
    "5,000 headers": (form(('name="text"' + "\r\nX: y" * 5000, "a")), 400),
    "a long name": (form((f'name="{"n" * 100_000}"', "a")), 400),
    "a zero in a name": (form(('name="te\0xt"', TEXT[1])), 422),
    "a form in a form": (
        form(('name="file"; filename=x.csv\r\nContent-Type: multipart/mixed; boundary=y', "--y--")),
        422,
    ),
    "coded": (form(('name="text"\r\nContent-Transfer-Encoding: base64', "dHJ1dGg=")), 422),
    "no text": (form(('name="text"', "\xff\xfe\0"), STEP), 422),
    "a file instead of text": (form(('name="text"; filename="a.csv"', "a,b"), STEP), 422),
    "lines that end as they should not": (form(TEXT).replace(b"\r\n", b"\n"), 400),
    "another boundary": (form(TEXT).replace(b"--x", b"--z"), 400),
}


@pytest.mark.parametrize(("content", "status"), ABUSES.values(), ids=ABUSES)
def test_forms_that_nobody_would_send(reader, content, status):
    reply = reader.send("/predictions", content, **{"Content-Type": "multipart/form-data; boundary=x"})
    assert reply.status == status
    assert reply.alert
    assert reader.get("/predictions").status == 200  # and the page goes on
