"""Uploaded bytes are opened in workers only: whatever they are, the page goes on answering others."""

from __future__ import annotations

import io
import threading
import time
import zipfile

import pytest
from starlette.testclient import TestClient
from web.conftest import HOST, Visitor

from foldwise.web import app as page_module
from foldwise.web.app import create_app
from foldwise.web.limits import Limits

openpyxl = pytest.importorskip("openpyxl")
pyarrow = pytest.importorskip("pyarrow")


def corner():
    """A workbook of a few kilobytes with one cell in the last corner, which spans 17 billion."""
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "truth", 1
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def corners():
    """A workbook of 40,000 rows, each with a cell in the last column: 650 million cells."""
    out = io.BytesIO()
    book = openpyxl.Workbook()
    book.save(out)
    rows = "".join(f'<row r="{r}"><c r="XFD{r}"><v>1</v></c></row>' for r in range(1, 40_001))
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'
    made = io.BytesIO()
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, sheet if name.startswith("xl/worksheets/") else old.read(name))
    return made.getvalue()


def zeros():
    """A Parquet file of 180 million zeros in a few hundred kilobytes."""
    from pyarrow import parquet

    out = io.BytesIO()
    zero = pyarrow.array(memoryview(bytes(8_000_000)).cast("q"))
    table = pyarrow.table({"truth": zero, "a": zero})
    with parquet.ParquetWriter(out, table.schema, compression="zstd") as writer:
        for _ in range(90):
            writer.write_table(table)
    return out.getvalue()


@pytest.fixture(scope="module")
def narrow():
    app = create_app(limits=Limits(workers=1, seconds=30, memory=1500))
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Visitor(client)


@pytest.mark.parametrize("door", ["/judge", "/predictions"])
@pytest.mark.parametrize("make", [corner, corners, zeros])
def test_a_small_file_of_very_many_cells_is_refused_while_others_are_answered(narrow, door, make):
    content = make()
    assert len(content) < 1_500_000
    name = "x.parquet" if make is zeros else "x.xlsx"
    found = []
    sending = threading.Thread(target=lambda: found.append(narrow.post(door, file=(name, content))))
    sending.start()
    answered = 0
    while sending.is_alive():
        assert narrow.get("/advise").status == 200  # by the page itself
        answered += 1
        time.sleep(0.05)
    sending.join()
    assert found[0].status in (413, 422, 503)
    assert found[0].alert
    assert answered


def test_the_page_itself_opens_nothing(monkeypatch):
    """Every function that looks into data is called in a worker, not in the page's process."""
    from foldwise.web import jobs

    class Elsewhere(page_module.Workers):
        def run(self, job, *arguments):
            if job == "take_in":
                return jobs.Submission(text="truth,a,b\nx,x,y\n", filename="x.csv")
            return super().run(job, *arguments)

    def never(*_, **__):
        raise AssertionError("the page itself has opened what was uploaded")

    monkeypatch.setattr(page_module, "Workers", Elsewhere)
    monkeypatch.setattr(zipfile, "ZipFile", never)
    for name in ("foldwise.data.packed.table_text", "foldwise.web.jobs.taken", "foldwise.web.jobs.unpack",
                 "foldwise.web.limits.Limits.check"):  # fmt: skip
        monkeypatch.setattr(name, never)
    with TestClient(create_app(), base_url=f"http://{HOST}") as client:
        for door in ("/judge", "/predictions"):
            assert Visitor(client).post(door, file=("x.zip", b"PK\x03\x04"), step="look").status in (200, 422)
