"""Make the table of measured behaviour that the package carries, and `advise` and the documentation cite.

``python benchmarks/measuring`` writes `foldwise/inference/measured.json`; its stamp says how it was made, so
that the same command makes the same file again.
"""

from __future__ import annotations

from measuring.table import make_table, write_table

__all__ = ["make_table", "write_table"]
