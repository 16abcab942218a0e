"""``foldwise reproduce [KEY]``: the papers' tables and figures, ours beside theirs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foldwise.cli.output import html_option, json_option, limit_options
from foldwise.cli.written import output_option
from foldwise.core.errors import DataNotFound

if TYPE_CHECKING:
    from foldwise.lab import Resources
    from foldwise.lab.papers import Scale, Study, StudyResult

__all__ = ["command"]


@click.command("reproduce")
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--scale", type=click.Choice(["quick", "full"]), default="quick", show_default=True,
              help="full: the papers' own numbers of trials.")  # fmt: skip
@click.option("--jobs", type=int, metavar="N", help="Processes; -1 for all processors.")
@click.option("--store", type=click.Path(path_type=Path), help="Results file: makes the studies resumable.")
@click.option("--cluster", metavar="ADDRESS", help="Address of a running Dask scheduler.")
@click.option("--data-dir", metavar="FOLDER", help="Where the data sets are; default: $FOLDWISE_DATA.")
@click.option("--seed", default=0, show_default=True, help="Gives the same numbers again.")
@output_option("--out", metavar="FOLDER", inside=("reproduction.md",),
               text="Save raw results (JSON), figures (SVG) and the page (reproduction.md) there.")  # fmt: skip
@limit_options
@json_option
@html_option
def command(
    keys: tuple[str, ...], scale: Scale, data_dir: str | None, seed: int, as_json: bool, **options: Any
) -> None:
    """Run the studies KEY (a study, a paper, or all); without KEY list the studies."""
    from foldwise.lab import Resources
    from foldwise.lab.studies import all_studies, find_studies

    if not keys:
        _list(all_studies(), data_dir, as_json=as_json)
        return
    resources = Resources(
        n_jobs=options["jobs"],
        **{name: options[name] for name in ("store", "cluster", "fit_seconds", "fit_memory")},
    )
    results = []
    for study in dict.fromkeys(study for key in keys for study in find_studies(key)):
        result = _run(study, scale, seed, resources, data_dir)
        if result is None:
            continue
        results.append(result)
        if options["out"] is not None:
            _save(result, options["out"])
        if not as_json:
            click.echo(f"{result}\n")
    if as_json:
        click.echo(
            json.dumps({"studies": [r.to_dict() for r in results]}, indent=2, ensure_ascii=False, allow_nan=False)
        )
    if options["out"] is not None:
        _write_page(options["out"])
    if options["html"] is not None:
        _write_html(results, options["html"])


def _run(study: Study, scale: Scale, seed: int, resources: Resources, data_dir: str | None) -> StudyResult | None:
    """The result, or None and one line on stderr if a data set is missing."""
    try:
        return study.run(scale, seed=seed, resources=resources, data_dir=data_dir)
    except DataNotFound as error:
        click.echo(f"foldwise: {study.key} left out: {error}", err=True)
        return None


def _list(studies: tuple[Study, ...], data_dir: str | None, *, as_json: bool) -> None:
    rows = [_entry(study, data_dir) for study in studies]
    if as_json:
        click.echo(json.dumps({"studies": rows}, indent=2, ensure_ascii=False))
        return
    width = max(len(row["key"]) for row in rows)
    states = max(len(row["state"]) for row in rows)
    click.echo(f"  {'study':<{width}}  {'quick':>7}  {'full':>7}  {'state':<{states}}  what")
    for row in rows:
        times = f"{_duration(row['quick_seconds']):>7}  {_duration(row['full_seconds']):>7}"
        click.echo(f"  {row['key']:<{width}}  {times}  {row['state']:<{states}}  {row['title']}")


def _entry(study: Study, data_dir: str | None) -> dict[str, Any]:
    missing = study.missing(data_dir)
    return {
        "key": study.key,
        "title": study.title,
        "reference": study.reference,
        "state": "ready" if not missing else f"needs data: {', '.join(missing[:3])}{' …' if len(missing) > 3 else ''}",
        "missing": list(missing),
        "quick_seconds": study.seconds[0],
        "full_seconds": study.seconds[1],
    }


def _duration(seconds: float) -> str:
    return f"{max(seconds, 1):.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _save(result: StudyResult, folder: Path) -> None:
    from foldwise.render.reproduction import save_study

    save_study(result, folder / "reproduction")


def _write_page(folder: Path) -> None:
    """The page of all studies saved in the folder, by this call or earlier ones."""
    from foldwise.core.files import write_whole
    from foldwise.lab.papers import StudyResult
    from foldwise.lab.studies import PAPERS, all_studies
    from foldwise.render.reproduction import read_studies, reproduction_page

    saved = {one["key"]: StudyResult.from_dict(one) for one in read_studies(folder / "reproduction")}
    keys = [study.key for study in all_studies()]
    left = [key for key in keys if key not in saved]
    notes = [f"Not yet run (`foldwise reproduce KEY`): {', '.join(left)}."] if left else []
    results = [saved[key] for key in keys if key in saved]
    write_whole(
        folder / "reproduction.md", reproduction_page(results, papers=PAPERS, figures="reproduction", notes=notes)
    )


def _write_html(results: list[StudyResult], path: Path) -> None:
    from foldwise.core.files import write_whole
    from foldwise.lab.papers.study import made_by
    from foldwise.render.reproduction import reproduction_html

    write_whole(path, reproduction_html(results, heading=f"Made by {made_by()}"))
