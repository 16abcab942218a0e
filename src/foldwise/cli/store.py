"""``foldwise store``: what is in a results store, and how to get it out."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import click

from foldwise.cli.output import answer_options, output_option
from foldwise.cli.output import show as show_result
from foldwise.cli.parsing import Command
from foldwise.core.errors import InvalidInput, StoreError, UnknownName
from foldwise.core.formatting import moment
from foldwise.core.types import Json
from foldwise.document.data import Listing
from foldwise.engine.store import Store, StoredSeries
from foldwise.engine.store.export import export, write_csv


@click.group()
def command() -> None:
    """List, show and export the results a store has.

    A store is the file that --store names: one series for each learner on a data set under a plan and a seed.
    """


@command.command("ls", cls=Command)
@click.argument("file")
@answer_options
def list_series(file: str) -> None:
    """List the series of the store FILE."""
    with _open(file) as store:
        series = store.listing()
    listing = Listing(
        title="Stored series",
        subtitle=file,
        key="series",
        content=[_dict(s) for s in series],
        columns=("series", "data", "learner", "plan", "seed", "splits", "mean scores"),
        rows=tuple(map(_line, series)),
        empty="nothing stored yet",
    )
    show_result(listing)


@command.command(cls=Command)
@click.argument("file")
@click.argument("series", type=int)
@answer_options
def show(file: str, series: int) -> None:
    """Show all about one SERIES (a number that ls prints) of the store FILE."""
    with _open(file) as store:
        (chosen,) = _choose(store, series=series)
        splits, size = store.outputs_size(series)
        content = _dict(chosen) | _origin(store, series) | {"outputs": {"splits": splits, "bytes": size}}
    listing = Listing(
        title=f"Series {series}",
        subtitle=file,
        key="",
        content=content,
        columns=("what", "value"),
        rows=tuple((name, _value(value)) for name, value in content.items()),
    )
    show_result(listing)


def _origin(store: Store, series: int) -> dict[str, Json]:
    """When the rows of a series were made, first and last, and by which versions."""
    numbers = [number for known in store.scorings().values() for number in known]
    parts = [part for number in numbers for part in store.columns(series, number)]
    if not parts:
        return {"made": None, "made_by": []}
    made, known = [int(m) for part in parts for m in (part.made.min(), part.made.max())], store.origins()
    by = [known[origin] for origin in sorted({origin for part in parts for origin in set(part.origin.tolist())})]
    return {"made": {"first": moment(min(made)), "last": moment(max(made))}, "made_by": by}


def _value(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else str(value)


@command.command("export", cls=Command)
@click.argument("file")
@output_option("--out", metavar="PATH", text="A .csv or .parquet file; default: CSV on standard output.")
@click.option("--series", type=int, help="Only this series.")
@click.option("--data", help="Only this data set.")
@click.option("--learner", help="Only this learner.")
@click.option("--metric", "scoring", help="Only this score.")
def export_rows(
    file: str, out: Path | None, series: int | None, data: str | None, learner: str | None, scoring: str | None
) -> None:
    """Write the scores of the store FILE, one row per split, as `foldwise scores` reads them."""
    with _open(file) as store:
        chosen = _choose(store, series=series, data=data, learner=learner)
        if out is None:
            write_csv(store, sys.stdout, series=chosen, scoring=scoring)
            return
        count = export(store, out, series=chosen, scoring=scoring)
    click.echo(f"{count} rows written to {out}", err=True)


def _open(file: str) -> Store:
    if not Path(file).is_file():
        raise StoreError(f"store {file!r} does not exist")
    return Store(file)


def _choose(store: Store, **wanted: int | str | None) -> list[StoredSeries]:
    """The series that have all the wanted values; refuses values that no series has."""
    chosen = store.listing()
    for field, value in wanted.items():
        if value is None:
            continue
        name = "id" if field == "series" else field
        known = {getattr(s, name) for s in chosen}
        if value not in known:
            if field == "series":
                raise InvalidInput(f"series must be a number that `foldwise store ls` prints, got {value}")
            raise UnknownName(field, value, known)
        chosen = [s for s in chosen if getattr(s, name) == value]
    return chosen


def _dict(series: StoredSeries) -> dict[str, Any]:
    row = dataclasses.asdict(series)
    row["class"] = row.pop("class_name")
    for name in ("params", "versions", "plan"):
        row[name] = json.loads(row[name])
    return row


def _line(series: StoredSeries) -> tuple[str, ...]:
    plan = json.loads(series.plan)
    kind = plan.pop("plan")
    details = " ".join(f"{name}={value}" for name, value in plan.items() if name != "digest")
    scores = "  ".join(f"{name} {value:.4f}" for name, value in series.scores.items())
    return (
        str(series.id),
        series.data,
        series.learner,
        f"{kind} {details}".rstrip(),
        str(series.seed),
        str(series.splits),
        scores,
    )
