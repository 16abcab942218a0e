"""What CONTRIBUTING asks for when something is added; each failure says in a sentence which step was forgotten."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from foldwise.core.metric import is_loss
from foldwise.data.catalogue import BUILT_IN
from foldwise.data.formats import FORMATS
from foldwise.designs import DATA_SETS, KINDS, data_sets, find_procedure, procedure_names
from foldwise.designs.data_sets import PAIR_MODELS
from foldwise.document.references import full_reference
from foldwise.engine.scoring import LOSSES
from foldwise.inference import __all__ as procedures
from foldwise.lab.populations import population_class, population_names
from foldwise.learners import registry
from foldwise.render import plots

ROOT = Path(__file__).parents[1]
SOURCE, TESTS, DOCS = ROOT / "src" / "foldwise", ROOT / "tests", ROOT / "docs"
PATHS = [*registry._NAMES.values(), *(path for path, _ in registry._FAMILIES.values())]
LEARNERS = sorted({path.rpartition(":")[2] for path in PATHS})

ADDITIONS = (
    "statistical test", "kind of evidence", "learner", "population", "plot", "input format", "metric", "result",
)  # fmt: skip
MOST_BYTES = 100_000
LARGE = {
    "docs/reproduction.md",
    "docs/reproduction/martinhirschberg1996-figure7-differences.svg",
    "src/foldwise/inference/measured.json",
}
"""What may be larger than `MOST_BYTES`: the page that shows all rows, a picture of many points, what was measured."""


@cache
def texts(folder, pattern):
    """All files of a folder by name."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob(pattern)) if path != Path(__file__)}


@cache
def words(folder, pattern):
    return {word for text in texts(folder, pattern).values() for word in re.findall(r"[\w-]+", text)}


def mentioned(word, folder, pattern="*.py"):
    return word in words(folder, pattern)


# ---- a test


@pytest.mark.parametrize("name", procedure_names())
def test_every_test_has_its_place_in_the_explanations(name):
    assert mentioned(name, DOCS / "explanation", "*.md"), f"test {name!r} needs a page, or a place, in docs/explanation"


@pytest.mark.parametrize("name", procedure_names())
def test_every_test_has_an_entry_in_the_bibliography(name):
    short = find_procedure(name).reference
    assert full_reference(short) != short, f"test {name!r} cites {short!r}, which document/references.py must have"


@pytest.mark.parametrize("entry", [*data_sets.PROCEDURES, *PAIR_MODELS.values()], ids=lambda entry: entry.title)
def test_every_test_of_several_learners_has_an_entry_in_the_bibliography(entry):
    short = entry.reference
    assert full_reference(short) != short, (
        f"test {entry.name!r} cites {short!r}, which document/references.py must have"
    )


@pytest.mark.parametrize("name", [name for name in procedures if name.islower()])
def test_every_procedure_is_tested_by_name(name):
    assert mentioned(name, TESTS), f"procedure {name!r} needs its tests in tests/inference"


# ---- a kind of evidence


OWNED = ("name", "words", "assumes", "recommended", "because", "limit")


@pytest.mark.parametrize("kind", [*KINDS, DATA_SETS], ids=lambda kind: kind.name)
def test_every_kind_says_what_it_is_and_recommends_a_test_of_its_own(kind):
    missing = [word for word in OWNED if not getattr(kind, word, None)]
    assert not missing, f"kind {type(kind).__name__} must say {', '.join(missing)}"
    own = {entry.name for entry in sys.modules[type(kind).__module__].PROCEDURES if entry.kind is kind}
    assert kind.recommended in own, f"kind {kind.name!r} recommends a test of another kind"


def test_every_file_with_a_kind_is_in_the_catalogue():
    ends = re.compile(r"^KINDS = ", re.M)
    files = {path for path, text in texts(SOURCE / "designs", "*.py").items() if ends.search(text)}
    known = {Path(sys.modules[type(kind).__module__].__file__) for kind in (*KINDS, DATA_SETS)}
    forgotten = sorted(str(path.relative_to(SOURCE)) for path in files - known)
    assert not forgotten, f"the catalogue of its room lacks the line of {', '.join(forgotten)}"


# ---- a learner


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_passes_scikit_learns_checks(name):
    checked = re.compile(rf"parametrize_with_checks\(\s*\[[^\]]*\b{name}\(")
    found = any(checked.search(text) for text in texts(TESTS / "learners", "*.py").values())
    assert found, f"learner {name} needs scikit-learn's estimator checks (parametrize_with_checks) in tests/learners"


def test_every_file_with_a_learner_is_in_the_registry():
    pattern = re.compile(r"^class (\w+)\((?:[\w, ]*\b)?Learner\b", re.M)
    classes = {name for path, text in texts(SOURCE / "learners", "*.py").items() if path.parent.name == "learners"
               for name in pattern.findall(text) if not name.startswith("_")}  # fmt: skip
    forgotten = sorted(classes - set(LEARNERS))
    assert not forgotten, f"learners/registry.py lacks the line of {', '.join(forgotten)}"


# ---- a population


@pytest.mark.parametrize("name", population_names())
def test_every_population_says_what_it_is_and_is_tested(name):
    said = population_class(name).__doc__ or ""
    assert said.split("\n")[0].strip(), f"population {name!r} needs a docstring that says what it is"
    assert mentioned(name, TESTS / "lab") or mentioned(population_class(name).__name__, TESTS / "lab"), (
        f"population {name!r} needs its tests in tests/lab"
    )


# ---- a plot


@pytest.mark.parametrize("name", plots.__all__)
def test_every_plot_is_on_a_page(name):
    short = name.removeprefix("plot_")
    assert callable(getattr(plots, name)), f"render/plots must define {name}"
    # tests/report/test_contract.py draws whatever is on a page
    on_page = mentioned(short, SOURCE / "document")
    of_a_kind = any(short in kind.plots for kind in (*KINDS, DATA_SETS))
    assert on_page or of_a_kind, f"{name} needs its entry in the plots of a document, or in the `plots` of a kind"


# ---- an input format


@pytest.mark.parametrize("found", FORMATS, ids=lambda found: found.name)
def test_every_format_is_written_by_the_tests(found):
    from data.tables_to_write import WRITERS

    assert found.name in WRITERS, f"format {found.name!r} needs its writer in tests/data/tables_to_write.py"


def test_every_format_is_registered():
    found = [text for folder in ("data", "reading") for text in texts(SOURCE / folder, "*.py").values()]
    made = sum(len(re.findall(r"^\w+ = Format\(", text, re.M)) for text in found)
    assert made == len(FORMATS), "data/formats/__init__.py lacks the line of a format"


# ---- a metric


@pytest.mark.parametrize("name", LOSSES)
def test_every_loss_is_known_as_one_by_its_name(name):
    assert is_loss(name), f"core/metric.py must tell from the name {name!r} that lower is better"


# ---- the papers of the house


def test_the_files_that_contributing_names_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:src|tests|docs|benchmarks|\w+)/[\w./]+(?:\.py|\.md|\.txt|\.html|/))`", text))
    lost = sorted(name for name in named if not ((ROOT / name).exists() or (SOURCE / name).exists()))
    assert named
    assert not lost, f"CONTRIBUTING.md names {', '.join(lost)}, which is not there"


def test_the_map_of_the_house_has_every_room():
    picture = re.search(r"```text\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.S)[1]
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ][0]
    layers = [re.findall(r"foldwise\.(\w+)", layer) for layer in reversed(contract["layers"])]
    rooms = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert {room for layer in layers for room in layer} == rooms, "pyproject.toml must have every room in its layers"
    line = {room: next((n for n, text in enumerate(picture.splitlines()) if re.search(rf"\b{room}\b", text)), None)
            for room in rooms}  # fmt: skip
    assert None not in line.values(), f"the picture lacks {[room for room, n in line.items() if n is None]}"


@pytest.mark.parametrize("thing", ADDITIONS)
def test_contributing_says_how_to_add(thing):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert re.search(rf"^## Adding an? {thing}$", text, re.M), f"CONTRIBUTING.md needs a section on adding a {thing}"


def test_every_room_with_public_names_has_its_page_in_the_reference():
    written = "".join(texts(DOCS / "reference", "*.rst").values())
    surface = (TESTS / "public_surface.txt").read_text().split()
    rooms = {line.rpartition(".")[0] for line in surface} - {"foldwise.designs"}  # what kinds need, CONTRIBUTING tells
    forgotten = sorted(room for room in rooms if not re.search(rf"public:: {re.escape(room)}$", written, re.M))
    assert not forgotten, f"docs/reference has no page of {', '.join(forgotten)}"


# ---- what is shown, and what is kept


def test_the_readme_shows_data_that_everybody_has():
    lines = re.findall(r"--data ([^`\n#]+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    shown = {name for line in lines for name in line.partition(" --")[0].split()}
    away = sorted(shown - set(BUILT_IN) - {"my.csv"})
    assert len(shown) > 3
    assert not away, f"README.md must run offline from a fresh clone, but --data names {', '.join(away)}"


def test_no_tracked_file_is_large():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("the sources are not a checkout")
    paths = [ROOT / name for name in listed.stdout.split("\0") if name and name not in LARGE]
    large = sorted(str(path.relative_to(ROOT)) for path in paths if path.exists() and path.stat().st_size > MOST_BYTES)
    assert not large, f"larger than {MOST_BYTES // 1000} kB: {', '.join(large)}; keep rows and pictures, not raw parts"
