"""``python -m foldwise.measuring``: measure all of it anew, on all processors."""

from __future__ import annotations

from foldwise.inference.measurements import FILE
from foldwise.measuring.table import make_table, write_table

if __name__ == "__main__":
    write_table(FILE, make_table(n_jobs=-1))
