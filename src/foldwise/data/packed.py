"""Tables in files that are not text: packed ones, Parquet, Excel workbooks. All become the text that readers read."""

from __future__ import annotations

import csv
import gzip
import io
import re
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from foldwise.core.errors import FoldwiseError, InvalidInput, LimitExceeded, MissingDependency
from foldwise.core.named_objects import reason
from foldwise.data.frames import parquet_table
from foldwise.data.text import Content, Readable, decode_text, is_file, read_bytes

MOST_UNPACKED = 4 << 30  # Bytes that a packed file may unpack to, unless the caller bears less.

MOST_CELLS = 50_000_000  # Cells that a sheet of a workbook may span.

_TEXT = re.compile(r"[\n\r]|\A\s*+[\[{]\s*+[{\"]")
"""What hardly a name of a file has: line breaks, or the beginning of JSON."""

_GZIP, _PARQUET, _ZIP = b"\x1f\x8b", b"PAR1", b"PK\x03\x04"


def read_text(given: Readable) -> Content:
    """The text of a file, of standard input ("-") or of the argument itself."""
    found = read_raw(given)
    if isinstance(found, Content):
        return found
    return Content(text=table_text(found.content, found.source), source=found.source, name=found.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """The content of a file, what messages call it, and the name that may tell the format."""

    content: bytes
    source: str
    name: str = ""


def read_raw(given: Readable) -> Content | Raw:
    """The content of a file or of standard input, unpacked; text as it is."""
    if isinstance(given, Content):
        return given
    if isinstance(given, str) and (not given or (_TEXT.search(given) and not is_file(Path(given)))):
        return Content(text=given.removeprefix("\ufeff"))
    if str(given) == "-":
        source = "standard input"
        return Raw(content=without_packing(sys.stdin.buffer.read(), source), source=source)
    path = Path(given)
    name = path.name.removesuffix(".gz")
    return Raw(content=without_packing(read_bytes(path), path.name), source=path.name, name=name)


def table_text(raw: bytes, source: str, *, most: int = MOST_UNPACKED) -> str:
    """The text of a table: of text itself, of what is packed in it, or of a Parquet file or workbook as CSV.

    `raw`: the content of a file. `source`: what messages call it. `most`: bytes that it may unpack to.
    """
    unpacked = without_packing(raw, source, most=most)
    if unpacked.startswith(_PARQUET):
        table = parquet_table(unpacked, source, most=most)
        columns = [column.to_pylist() for column in table.columns]
        return _csv([table.column_names, *zip(*columns, strict=True)], source, most)
    if unpacked.startswith(_ZIP):
        return _workbook(unpacked, source, most)
    return decode_text(unpacked, source)


def without_packing(raw: bytes, source: str, *, most: int = MOST_UNPACKED) -> bytes:
    """What a gzip file holds; anything else as it is."""
    if not raw.startswith(_GZIP):
        return raw
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            content = file.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput(f"{source} must be a whole gzip file, but it is damaged: {error}") from None
    if len(content) > most:
        raise LimitExceeded(f"{source} unpacks to more than {most:,} bytes, the limit")
    return content


def _workbook(raw: bytes, source: str, most: int) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = archive.infolist()
    except zipfile.BadZipFile as error:
        raise InvalidInput(f"{source} must be a whole archive, but it is damaged: {error}") from None
    if not any(member.filename == "xl/workbook.xml" for member in members):
        raise InvalidInput(f"{source} is a zip archive without a workbook, not a table")
    if sum(member.file_size for member in members) > most:
        raise LimitExceeded(f"{source} unpacks to more than {most:,} bytes, the limit")
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise MissingDependency("reading Excel workbooks", "excel") from error
    try:
        book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
        sheets = [_without_margins(_rows(sheet, source)) for sheet in book.worksheets]
    except FoldwiseError:
        raise
    except Exception as error:  # as with Parquet
        raise InvalidInput(f"{source} is not an Excel workbook, or damaged: {reason(error)}") from error
    filled = [sheet for sheet in sheets if sheet]
    if len(filled) != 1:
        raise InvalidInput(f"{source} must have one sheet with a table, got {len(filled)} that are not empty")
    return _csv(filled[0], source, most)


def _rows(sheet: Any, source: str) -> Iterator[dict[int, object]]:
    """The cells of each row that are not empty, by their columns.

    What the sheet says of its range is not asked: one cell in the last corner makes that 17 billion cells. Each row is
    as long as its last cell says, which is counted.
    """
    sheet.reset_dimensions()
    spanned = 0
    for row in sheet.iter_rows(values_only=True):
        spanned += len(row)
        if spanned > MOST_CELLS:
            raise LimitExceeded(f"{source} must span at most {MOST_CELLS:,} cells, but its rows reach further")
        if cells := {place: cell for place, cell in enumerate(row) if cell is not None}:
            yield cells


def _without_margins(rows: Iterable[dict[int, object]]) -> list[list[object]]:
    """The rows, without columns that are empty throughout: what people leave around a table."""
    filled = list(rows)
    used = sorted(set().union(*filled))
    if len(filled) * len(used) > MOST_CELLS:  # cells that are far from each other
        raise LimitExceeded(
            f"a sheet must have at most {MOST_CELLS:,} cells, got {len(filled):,} rows of {len(used):,}"
        )
    return [[row.get(place) for place in used] for row in filled]


def _csv(rows: Iterable[Sequence[object]], source: str, most: int) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow([_cell(value, source) for value in row])
        if out.tell() > most:  # a text that many cells share is in the file once
            raise LimitExceeded(f"{source} unpacks to more than {most:,} bytes, the limit")
    return out.getvalue()


def _cell(value: object, source: str) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value)  # every digit, so that nothing is lost on the way
    if isinstance(value, str | int | datetime | date):
        return str(value)
    raise InvalidInput(f"{source} must hold text and numbers, got {type(value).__name__} in a cell")


# ---- Files that are still being written: what is there so far, up to the last line that is complete.


def read_so_far(given: Readable, *, complete: bool = False) -> Content:
    r"""The text of a file as far as its lines are complete.

    `given`: as `read_text` takes it. `complete`: whether nothing more comes, so that the last line counts although it
    has no end.

    >>> read_so_far("a,b\n1,0\n0,").text
    'a,b\n1,0\n'
    """
    content = read_text(given)
    if complete or content.text.endswith(("\n", "\r")):
        return content
    end = max(content.text.rfind("\n"), content.text.rfind("\r")) + 1
    return Content(text=content.text[:end], source=content.source, name=content.name)
