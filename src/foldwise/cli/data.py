"""``foldwise data``: which data sets there are, what is in one, and how to get it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from foldwise.core.errors import DataNotFound, InvalidInput, UnknownName
from foldwise.data.loading import available, data_folder, load
from foldwise.data.registry import KNOWN, canonical

__all__ = ["command"]

_as_json = click.option("--json", "as_json", is_flag=True, help="Write JSON.")
_data_dir = click.option("--data-dir", metavar="FOLDER", help="Where the files are; default: $FOLDWISE_DATA.")


@click.group()
def command() -> None:
    """List, describe and fetch data sets."""


@command.command("list")
@_as_json
@_data_dir
def list_data(as_json: bool, data_dir: str | None) -> None:
    """List the data sets at hand and those of the papers."""
    rows = [_row(name, source) for name, source in _names(data_dir).items()]
    if as_json:
        click.echo(json.dumps({"datasets": rows}, indent=2))
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        openml = f"openml:{row['openml']}" if row["openml"] else ""
        parts = f"{row['name']:{width}}  {row['source'] or '(not here)':20}  {openml:10}  {', '.join(row['papers'])}"
        click.echo(parts.rstrip())


@command.command()
@click.argument("name")
@click.option("--target", help="Target column by name, 'first' or 'last'.")
@_as_json
@_data_dir
def describe(name: str, target: str | None, as_json: bool, data_dir: str | None) -> None:
    """Say what is in the data set NAME (a name, a file or openml:ID)."""
    description = load(name, target=target, data_dir=data_dir).describe()
    click.echo(json.dumps(description.to_dict(), indent=2, ensure_ascii=False) if as_json else str(description))


@command.command()
@click.argument("name")
@_as_json
@_data_dir
def fetch(name: str, as_json: bool, data_dir: str | None) -> None:
    """Fetch the data set NAME from OpenML and keep it as an ARFF file in the data folder."""
    from foldwise.data.openml import fetch_openml
    from foldwise.data.saving import save_arff

    folder = data_folder(data_dir)
    if folder is None:
        raise InvalidInput("fetch needs a folder to keep the file in: give --data-dir or set FOLDWISE_DATA")
    key, title = _openml_key(name)
    dataset = fetch_openml(key, name=title)
    path = save_arff(dataset, folder / f"{dataset.name}.arff")
    click.echo(
        json.dumps({**dataset.describe().to_dict(), "file": str(path)}, indent=2) if as_json else _kept(dataset, path)
    )


def _kept(dataset: Any, path: Path) -> str:
    return f"{dataset.describe()}\n  kept as     {path}"


def _openml_key(name: str) -> tuple[str, str | None]:
    """What to ask OpenML for, and the name to keep it under (None: OpenML's)."""
    if name.startswith("openml:"):
        return name.removeprefix("openml:"), None
    known = KNOWN.get(canonical(name))
    if known is None:
        raise UnknownName("data set", name, KNOWN)
    if known.openml is None:
        raise DataNotFound(f"no OpenML id is known for {known.name!r}: put {known.name}.arff into the data folder")
    return str(known.openml), known.name


def _names(data_dir: str | None) -> dict[str, str | None]:
    here = available(data_dir)
    return {name: here.get(name) for name in sorted({*here, *KNOWN})}


def _row(name: str, source: str | None) -> dict[str, Any]:
    known = KNOWN.get(name)
    return {
        "name": name,
        "source": source,
        "openml": known.openml if known else None,
        "openml_verified": known.verified if known else None,
        "papers": list(known.papers) if known else [],
    }
