"""What a release needs agrees: version, changelog, citation, and README as a package index shows it."""

from __future__ import annotations

import re
import runpy
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import foldwise

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
HATCH = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
REPOSITORY = HATCH["metadata"]["hooks"]["custom"].get("repository", "")
LINK = re.compile(r"\]\(([^)]+)\)")


@pytest.fixture
def build(monkeypatch):
    """The functions of hatch_build.py, which pip gives its base class; a test run need not have that."""
    monkeypatch.setitem(
        sys.modules, "hatchling.metadata.plugin.interface", SimpleNamespace(MetadataHookInterface=object)
    )
    return runpy.run_path(str(ROOT / "hatch_build.py"))


def test_the_changelog_begins_with_this_version_or_with_what_comes_after_it():
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    released = [heading for heading in headings if heading != "Unreleased"]
    assert headings[-len(released) :] == released, "what is not released stands first"
    assert released[0] == f"{foldwise.__version__}, {CITATION['date-released']}"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+, \d{4}-\d\d-\d\d", heading) for heading in released)


def test_the_citation_is_of_this_version():
    assert CITATION["version"] == foldwise.__version__
    assert CITATION.get("repository-code", "") == REPOSITORY


def test_the_links_of_the_readme_lead_to_files():
    lost = sorted(path for path in LINK.findall(README) if not (ROOT / path).exists())
    assert not lost, f"README.md links to {', '.join(lost)}"


def test_the_index_shows_no_link_that_leads_nowhere(build):
    assert LINK.findall(README)
    assert not LINK.findall(build["for_the_index"](README, ""))
    shown = build["for_the_index"](README, "https://example.org/fw")
    assert set(LINK.findall(shown)) == {f"https://example.org/fw/blob/main/{path}" for path in LINK.findall(README)}
    assert "a [tutorial](https://example.org/fw/blob/main/docs/tutorial.md) of" in shown


def test_links_that_are_whole_stay_as_they_are(build):
    text = "[a](https://a.example/b) and [below](#below)"
    assert build["for_the_index"](text, "https://example.org/fw") == text == build["for_the_index"](text, "")


@pytest.mark.parametrize("config", [{}, {"repository": "https://example.org/fw"}])
def test_a_release_can_be_built_with_and_without_an_address(build, config):
    hook, metadata = build["CustomMetadataHook"](), {}
    hook.root, hook.config = str(ROOT), config
    hook.update(metadata)
    assert metadata["urls"] == build["addresses"](config.get("repository", ""))
    assert metadata["readme"]["content-type"] == "text/markdown"
    assert all(link.startswith("https://") for link in LINK.findall(metadata["readme"]["text"]))


def test_the_addresses_follow_from_one(build):
    assert build["addresses"]("") == {}
    found = build["addresses"]("https://example.org/fw")
    assert found["Changelog"] == "https://example.org/fw/blob/main/CHANGELOG.md"
    for page in build["PAGES"].values():
        assert (ROOT / page).exists()


def test_the_bill_of_materials_names_every_dependency_with_its_licence():
    found = runpy.run_path(str(ROOT / "sbom.py"))["bill"]()
    parts = {part["name"]: part for part in found["components"]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.match(r"[\w.-]+", line)[0] for line in project["dependencies"]}
    assert needed <= set(parts)
    assert {"htmx.org", "starlette", "pyarrow"} <= set(parts)
    unsaid = [name for name, part in parts.items() if part["licenses"] == [{"license": {"name": "not said"}}]]
    assert not unsaid, f"no licence is known of {', '.join(unsaid)}"


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_conda_recipe_needs_what_the_package_needs():
    recipe = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    named = {"matplotlib": "matplotlib-base"}  # which conda-forge calls matplotlib without a window
    needed = [re.sub(r"^[\w-]+", lambda m: named.get(m[0], m[0]), one) for one in PROJECT["dependencies"]]
    run = [one.replace(" ", "") for one in recipe["requirements"]["run"]]
    assert run == ["python>=${{python_min}}", *needed]
    assert recipe["context"]["version"] == foldwise.__version__
    assert f">={recipe['context']['python_min']}" == PROJECT["requires-python"]
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["license_file"] == PROJECT["license-files"]
    assert recipe["about"]["summary"] == PROJECT["description"]
    scripts = [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == scripts
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert [one.replace(" ", "") for one in recipe["requirements"]["host"][2:]] == build


PAPER = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
SECTIONS = ("Summary", "Statement of need", "State of the field", "Software design", "Research impact statement",
            "AI usage disclosure", "Acknowledgements", "References")  # fmt: skip


def test_the_paper_has_the_sections_and_the_length_that_the_journal_asks_for():
    _, head, body = PAPER.split("---\n", 2)
    assert yaml.safe_load(head)["bibliography"] == "paper.bib"
    assert tuple(re.findall(r"^# (.+)$", body, re.M)) == SECTIONS
    assert 750 <= len(re.findall(r"\w+", body)) <= 1750


def test_the_paper_cites_its_bibliography_and_nothing_else():
    entries = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8"), re.M)
    assert len(entries) == len(set(entries))
    assert set(re.findall(r"@(\w+)", PAPER)) == set(entries)


def test_the_preferred_citation_is_of_this_version():
    preferred = CITATION["preferred-citation"]
    assert (preferred["title"], preferred["authors"]) == (CITATION["title"], CITATION["authors"])
    assert (preferred["version"], preferred["license"]) == (foldwise.__version__, CITATION["license"])
    assert str(CITATION["date-released"]).startswith(str(preferred["year"]))


def test_the_wheel_has_no_tests():
    """What is installed is the package and the page's examples; the tests are in the source distribution."""
    wheel = HATCH["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["src/foldwise"]
    assert all(source.startswith("examples/") for source in wheel["force-include"])
    package = ROOT / "src" / "foldwise"
    assert not [one for one in package.rglob("*") if re.match(r"test_|conftest|tests$", one.name)]
    assert {"tests", "paper", "conda"} <= set(HATCH["build"]["targets"]["sdist"]["include"])


def _needed(name, found):
    """A distribution and all that it needs without extras."""
    found.add(name)
    for line in metadata.requires(name) or ():
        one = Requirement(line)
        key = canonicalize_name(one.name)
        if key not in found and (one.marker is None or one.marker.evaluate({"extra": ""})):
            _needed(key, found)
    return found


def test_a_plain_install_is_as_small_as_the_readme_says():
    """Files of every package that it needs, without compiled bytecode, by what pip noted of this environment."""
    names = {
        one for line in PROJECT["dependencies"] for one in _needed(canonicalize_name(Requirement(line).name), set())
    }
    parts = [file.locate() for name in names for file in metadata.files(name) or () if file.suffix != ".pyc"]
    own = [path for path in (ROOT / "src" / "foldwise").rglob("*") if path.suffix != ".pyc"]
    megabytes = sum(path.stat().st_size for path in map(Path, (*parts, *own)) if path.is_file()) / 1e6
    said = float(re.search(r"[Aa] plain install takes about (\d+) MB", README)[1])
    assert megabytes < 400
    assert abs(megabytes - said) < 60, megabytes


def test_upper_bounds_stand_only_where_a_break_is_known():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    bounded = [line for line in text.splitlines() if re.search(r'"[\w-]+>=[^"]*<', line) and "#" not in line]
    assert not bounded, f"without a reason beside it: {bounded}"
