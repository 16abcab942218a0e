"""How much the page takes on: sizes, time, and answers at once."""

from __future__ import annotations

from dataclasses import dataclass

from foldwise.core.errors import InvalidInput
from foldwise.core.validation import integer, positive
from foldwise.data.formats import first_names
from foldwise.data.text import Content


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the page refuses beyond."""

    megabytes: float = 8.0  #: Of one upload or pasted text
    #: rows, columns: Of one table
    rows: int = 100_000
    columns: int = 500
    files: int = 500  #: That are dropped at once, or packed in one
    seconds: float = 60.0  #: For one answer
    workers: int = 2  #: Answers that are worked out at the same time
    waiting: int = 30  #: Further ones that may wait for their turn
    memory: float = 2000.0  #: Megabytes for one answer

    def __post_init__(self) -> None:
        positive(self.megabytes, "megabytes")
        positive(self.seconds, "seconds")
        positive(self.memory, "memory")
        for name in ("rows", "columns", "files", "workers"):
            integer(getattr(self, name), name, minimum=1)

    @property
    def data_bytes(self) -> int:
        return int(self.megabytes * 1_000_000)

    @property
    def body_bytes(self) -> int:
        """Bytes of a whole request: the data, perhaps once more as text, and the other fields of the form."""
        return 2 * self.data_bytes + 100_000

    def check(self, table: Content) -> None:
        """Refuse text with too many lines or columns before it is taken apart."""
        text = table.text
        # readers end a line at a bare carriage return too
        lines = text.count("\n") + text.count("\r") - text.count("\r\n") + 1
        if lines > self.rows + 2:  # the header, and a line break at the end
            raise InvalidInput(
                f"the table has about {lines - 2:,} rows, more than the {self.rows:,} that this page takes: "
                f"use the command line, or start the page with --max-rows"
            )
        if self.columns < text.count(",") + text.count(";") + text.count("\t") + 1:
            columns = len(first_names(table))
            if columns > self.columns:
                raise InvalidInput(f"the table has {columns:,} columns, more than the {self.columns:,} allowed here")

    @property
    def too_large(self) -> str:
        """The sentence for an upload that is too large."""
        return (
            f"the file is larger than {self.megabytes:g} MB, the most this page takes: use the command line, or start "
            "the page with --max-upload"
        )
