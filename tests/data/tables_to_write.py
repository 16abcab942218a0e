"""The same tables in every format, for the tests of readers and doors."""

from __future__ import annotations

import csv
import io
import json


def as_csv(rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows([["" if value is None else value for value in row.values()] for row in rows])
    return out.getvalue()


def as_json_lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def as_json(rows):
    return "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n"


def as_arff(rows):
    kinds = {
        name: "numeric" if all(isinstance(row[name], float | int | None) for row in rows) else "string"
        for name in rows[0]
    }
    head = "".join(f"@attribute {name} {kind}\n" for name, kind in kinds.items())
    lines = (",".join("?" if value is None else str(value) for value in row.values()) for row in rows)
    return f"@relation t\n{head}@data\n" + "\n".join(lines) + "\n"


WRITERS = {"CSV": as_csv, "JSON Lines": as_json_lines, "JSON": as_json, "ARFF": as_arff}
"""By the format's name, how the tests write rows (dictionaries of texts, numbers and None) in it."""

PREDICTIONS = [
    {"truth": t, "nb": a, "tree": b} for t, a, b in zip("xyxyxyxy" * 5, "xyxxxyxy" * 5, "xyyyxyxx" * 5, strict=True)
]
SCORES = [{"learner": m, "run": r, "fold": f, "score": 0.5 + 0.01 * f + 0.02 * r * (m == "a")}
          for m in "ab" for r in (1, 2) for f in range(5)]  # fmt: skip
TABLE = [{"data": f"d{i}", "nb": 0.5 + i / 50, "tree": None if i == 3 else 0.6} for i in range(8)]


def written(found, rows):
    assert found.name in WRITERS, f"tests/data/tables_to_write.py needs a writer of {found.name} in WRITERS"
    return WRITERS[found.name](rows)
