from __future__ import annotations

import anyio
import pytest
from starlette.testclient import TestClient
from web.conftest import HOST, Visitor
from web.reading import Reply

from foldwise.core.errors import InvalidInput
from foldwise.data.text import Content
from foldwise.web.app import create_app
from foldwise.web.limits import Limits

TABLE = "truth,a,b\n" + "x,x,y\n" * 20
TOO_LARGE = (
    "The file is larger than 0.001 MB, the most this page takes: use the command line, or start the page with "
    "--max-upload."
)


@pytest.fixture(scope="module")
def small():
    """A page with narrow limits that refuses before any process is needed."""
    app = create_app(limits=Limits(megabytes=0.001, rows=30, columns=6))
    return Visitor(TestClient(app, base_url=f"http://{HOST}"))


@pytest.mark.parametrize("address", ["/predictions", "/predictions/report.html"])
def test_a_file_that_is_too_large(small, address):
    reply = small.post(address, file=("big.csv", b"x" * 1500))
    assert reply.status == 413
    assert reply.alert == TOO_LARGE


def test_pasted_text_that_is_too_large(small):
    reply = small.post("/predictions", text="x" * 3000)
    assert reply.status == 413
    assert reply.alert == TOO_LARGE


def test_a_long_field_of_a_plain_form(small):
    reply = small.send("/predictions", "text=" + "x" * 1500, **{"Content-Type": "application/x-www-form-urlencoded"})
    assert reply.status == 413
    assert reply.alert == TOO_LARGE


def test_too_many_rows(small):
    reply = small.post("/predictions", text="t,a,b\n" + "x,y,z\n" * 31)
    assert reply.status == 422
    assert reply.alert == (
        "The table has about 31 rows, more than the 30 that this page takes: use the command line, or start the page "
        "with --max-rows."
    )


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_rows_are_counted_whatever_ends_them(small, end):
    assert "about 31 rows" in small.post("/predictions", text=end.join(["t,a,b", *["x,y,z"] * 31, ""])).alert


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_too_many_columns(small, delimiter):
    reply = small.post("/table", text=delimiter.join("abcdefg") + "\n")
    assert reply.status == 422
    assert reply.alert == "The table has 7 columns, more than the 6 allowed here."


def test_a_million_columns():
    with pytest.raises(InvalidInput, match=r"the table has 1,000,000 columns, more than the 500 allowed here"):
        Limits().check(Content(text=",".join(map(str, range(1_000_000))) + "\n"))


def test_many_cells_in_few_columns_are_not_many_columns():
    Limits(columns=3).check(Content(text="a,b,c\n" + "1,2,3\n" * 1000))


@pytest.mark.parametrize(
    "limit",
    [{"megabytes": 0}, {"seconds": -1}, {"rows": 0}, {"columns": 0}, {"workers": 0}, {"megabytes": float("nan")}],
)
def test_limits_that_let_nothing_pass(limit):
    with pytest.raises(InvalidInput, match=f"^{next(iter(limit))} must be"):
        Limits(**limit)


class Sender:
    """A client that sends pieces of a body without end, and notes how many were taken when the answer began."""

    def __init__(self, *, length=None, pieces=10**9):
        kind = [(b"content-type", b"multipart/form-data; boundary=x")]
        size = [] if length is None else [(b"content-length", str(length).encode())]
        self.scope = {
            "type": "http", "method": "POST", "path": "/predictions", "raw_path": b"/predictions", "query_string": b"",
            "headers": [(b"host", HOST.encode()), *kind, *size], "http_version": "1.1", "scheme": "http",
            "root_path": "", "server": ("127.0.0.1", 8000), "client": ("127.0.0.1", 1),
        }  # fmt: skip
        self.left, self.taken, self.taken_before, self.messages = pieces, 0, None, []

    async def receive(self):
        self.taken += 1
        self.left -= 1
        head = (
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="big.csv"\r\n\r\n'
            if self.taken == 1
            else b""
        )
        return {"type": "http.request", "body": head + b"x" * 1000, "more_body": self.left > 0}

    async def send(self, message):
        if message["type"] == "http.response.start":
            self.taken_before = self.taken
        self.messages.append(message)

    def run(self, app):
        anyio.run(app, self.scope, self.receive, self.send)
        return self.messages[0]["status"], b"".join(message.get("body", b"") for message in self.messages).decode()


def test_an_upload_that_is_announced_as_too_large_is_refused_before_any_of_it_is_read():
    sender = Sender(length=200_000_000, pieces=500)
    status, body = sender.run(create_app())
    assert status == 413
    assert "The file is larger than 8 MB" in body
    assert sender.taken_before == 0
    # the rest is taken and thrown away, so that a browser shows the answer instead of an error of its own
    assert sender.taken == 500


def test_an_upload_of_unknown_size_is_refused_when_it_gets_too_large():
    limits = Limits(megabytes=0.01)
    sender = Sender(pieces=1000)
    status, body = sender.run(create_app(limits=limits))
    assert status == 413
    assert "The file is larger than 0.01 MB" in body
    assert sender.taken_before <= limits.body_bytes / 1000 + 1
    assert sender.taken == 1000


def test_an_answer_that_takes_too_long():
    app = create_app(limits=Limits(seconds=0.001))
    try:
        page = Visitor(TestClient(app, base_url=f"http://{HOST}")).post("/predictions", text=TABLE, step="answer")
    finally:
        app.state.run.workers.close()
    assert page.status == 503
    assert page.alert.startswith("This takes longer than 0.001 seconds, the most this page spends on an answer")


def test_an_error_nobody_foresaw(app, visitor, monkeypatch, capsys):
    from foldwise.web.workers import JobFailed

    def fail(job, *arguments):
        raise JobFailed("Traceback (most recent call last): secret")

    monkeypatch.setattr(app.state.run.workers, "run", fail)
    for page in (
        visitor.post("/predictions", text=TABLE, step="answer"),
        visitor.post("/predictions/report.json", text=TABLE),
        visitor.get("/plan"),
    ):
        assert page.alert == "Something went wrong inside foldwise; its log has the details."
        assert "secret" not in page.text
    assert capsys.readouterr().err.count("secret") == 3


def test_reply_of_a_busy_page(app, visitor, monkeypatch):
    from foldwise.core.errors import LimitExceeded

    def busy(job, *arguments):
        raise LimitExceeded("the page is busy with other answers: try again in a moment")

    monkeypatch.setattr(app.state.run.workers, "run", busy)
    page = visitor.post("/predictions", text=TABLE, step="answer")
    assert isinstance(page, Reply)
    assert (page.status, page.alert) == (503, "The page is busy with other answers: try again in a moment.")
