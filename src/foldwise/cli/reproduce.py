"""``foldwise reproduce [KEY]``: the papers' tables and figures, ours beside theirs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foldwise.cli.options import takes
from foldwise.cli.output import answer_options, deliver, output_option, prints_text, show
from foldwise.cli.parsing import Command
from foldwise.core.errors import DataNotFound
from foldwise.document.data import Listing

if TYPE_CHECKING:
    from foldwise.lab.gather import Resources
    from foldwise.lab.papers import Scale, Study, StudyResult


@click.command("reproduce", cls=Command)
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--scale", type=click.Choice(["quick", "full"]), default="quick", show_default=True,
              help="full: the papers' own numbers of trials.")  # fmt: skip
@takes("jobs", "store", "cluster", "data_dir", "seed", seed="Gives the same numbers again.")
@output_option("--out", metavar="FOLDER", inside=("reproduction.md",),
               text="Save raw results (JSON), figures (SVG) and the page (reproduction.md) there.")  # fmt: skip
@takes("fit_seconds", "fit_memory", answer_options)
def command(keys: tuple[str, ...], scale: Scale, data_dir: str | None, seed: int, **options: Any) -> None:
    """Run the studies KEY (a study, a paper, or all); without KEY list the studies."""
    from foldwise.lab.gather import Resources
    from foldwise.lab.studies import all_studies, find_studies

    if not keys:
        show(_list(all_studies(), data_dir))
        return
    resources = Resources(
        n_jobs=options["jobs"], **{name: options[name] for name in ("store", "cluster", "fit_seconds", "fit_memory")}
    )
    results = []
    for study in dict.fromkeys(study for key in keys for study in find_studies(key)):
        result = _run(study, scale, seed, resources, data_dir)
        if result is None:
            continue
        results.append(result)
        if options["out"] is not None:
            from foldwise.render.reproduction import save_study

            save_study(result, options["out"] / "reproduction")
        if prints_text():
            click.echo(f"{result}\n")
    deliver(
        text=None, json=lambda: {"studies": [one.to_dict() for one in results]},
        markdown=lambda: "\n".join(map(_markdown, results)), html=lambda: _html(results),
    )  # fmt: skip
    if options["out"] is not None:
        _write_page(options["out"])


def _run(study: Study, scale: Scale, seed: int, resources: Resources, data_dir: str | None) -> StudyResult | None:
    """The result, or None and one line on stderr if a data set is missing."""
    try:
        return study.run(scale, seed=seed, resources=resources, data_dir=data_dir)
    except DataNotFound as error:
        click.echo(f"foldwise: {study.key} left out: {error}", err=True)
        return None


def _list(studies: tuple[Study, ...], data_dir: str | None) -> Listing:
    rows = [_entry(study, data_dir) for study in studies]
    return Listing(
        title="Studies",
        key="studies",
        content=rows,
        columns=("study", "quick", "full", "state", "what"),
        rows=tuple(
            (row["key"], _duration(row["quick_seconds"]), _duration(row["full_seconds"]), row["state"], row["title"])
            for row in rows
        ),
    )


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


def _markdown(result: StudyResult) -> str:
    return f"```text\n{result}\n```"


def _html(results: list[StudyResult]) -> str:
    from foldwise.core.process import made_by
    from foldwise.render.reproduction import reproduction_html

    return reproduction_html(results, heading=f"Made by {made_by()}")
