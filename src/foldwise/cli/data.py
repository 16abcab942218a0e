"""``foldwise data``: which data sets there are, what is in one, and how to get it."""

from __future__ import annotations

from typing import Any

import click

from foldwise.cli.options import option, takes
from foldwise.cli.output import answer_options, show
from foldwise.cli.parsing import Command
from foldwise.core.errors import DataNotFound, InvalidInput, UnknownName
from foldwise.data.catalogue import KNOWN, canonical
from foldwise.data.loading import available, data_folder, load
from foldwise.document.data import Listing

_data_dir = option("data_dir")


@click.group()
def command() -> None:
    """List, describe and fetch data sets."""


@command.command("list", cls=Command)
@answer_options
@_data_dir
def list_data(data_dir: str | None) -> None:
    """List the data sets at hand and those of the papers."""
    rows = [_row(name, source) for name, source in _names(data_dir).items()]
    listing = Listing(
        title="Data sets", subtitle="at hand, and of the papers", key="datasets", content=rows,
        columns=("name", "where", "OpenML", "papers"), rows=tuple(map(_cells, rows)),
    )  # fmt: skip
    show(listing)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    openml = f"openml:{row['openml']}" if row["openml"] else ""
    return row["name"], row["source"] or "(not here)", openml, ", ".join(row["papers"])


@command.command(cls=Command)
@click.argument("name")
@takes("target", "keep")
@answer_options
@_data_dir
def describe(name: str, target: str | None, keep: tuple[str, ...], data_dir: str | None) -> None:
    """Say what is in the data set NAME (a name, a file or openml:ID)."""
    show(load(name, target=target, data_dir=data_dir, keep=keep).describe())


@command.command(cls=Command)
@click.argument("name")
@answer_options
@_data_dir
def fetch(name: str, data_dir: str | None) -> None:
    """Fetch the data set NAME from OpenML and keep it as an ARFF file in the data folder."""
    from foldwise.data.catalogue import fetch_openml
    from foldwise.data.formats.arff import save_arff

    folder = data_folder(data_dir)
    if folder is None:
        raise InvalidInput("fetch needs a folder to keep the file in: give --data-dir or set FOLDWISE_DATA")
    key, title = _openml_key(name)
    dataset = fetch_openml(key, name=title)
    path = save_arff(dataset, folder / f"{dataset.name}.arff")
    show(dataset.describe().replace(file=str(path)))


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
        "name": name, "source": source, "openml": known.openml if known else None,
        "openml_verified": known.verified if known else None, "papers": list(known.papers) if known else [],
    }  # fmt: skip
