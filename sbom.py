"""What a release is made of, as CycloneDX JSON: all packages it needs here, with licences, and what it carries itself.

``python sbom.py [FILE]`` describes the environment in which it runs; `make sbom` writes ``dist/sbom.json``.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

CARRIED = Path(__file__).parent / "src" / "foldwise" / "web" / "static" / "vendored.json"
EXTRAS = ("lab", "data", "logs", "excel", "cluster", "web")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def needed(name: str, extras: tuple[str, ...] = ()) -> dict[str, Distribution]:
    """The package and all that it needs, as far as they are installed, by their normalised names."""
    found: dict[str, Distribution] = {}
    waiting = [(name, extras)]
    while waiting:
        current, wanted = waiting.pop()
        key = re.sub(r"[-_.]+", "-", current).lower()
        if key in found:
            continue
        try:
            found[key] = distribution(current)
        except PackageNotFoundError:
            continue  # of another system, or an extra that is not there
        for line in found[key].requires or ():
            requirement, _, marker = line.partition(";")
            extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)['\"]", marker)
            if extra is None or extra[1] in wanted:
                waiting.append((_NAME.match(requirement)[0], ()))  # type: ignore[index]
    return found


def licence(package: Distribution) -> str:
    """As the package says it: an expression, a classifier, or the first line of a text."""
    about = package.metadata
    classified = [c.rpartition(" :: ")[2] for c in about.get_all("Classifier") or () if c.startswith("License ::")]
    said = about.get("License-Expression") or " AND ".join(classified) or about.get("License") or "not said"
    return str(said).strip().splitlines()[0][:100]


def bill() -> dict[str, Any]:
    """The bill of materials."""
    packages = needed("foldwise", EXTRAS)
    own = packages.pop("foldwise")
    parts = [
        {
            "type": "library",
            "name": name,
            "version": package.version,
            "purl": f"pkg:pypi/{name}@{package.version}",
            "licenses": [{"license": {"name": licence(package)}}],
        }
        for name, package in sorted(packages.items())
    ]
    parts += [
        {
            "type": "library",
            "name": one["name"],
            "version": one["version"],
            "purl": f"pkg:npm/{one['name']}@{one['version']}",
            "hashes": [{"alg": "SHA-256", "content": one["sha256"]}],
            "licenses": [{"license": {"name": one["licence"]}}],
        }
        for one in json.loads(CARRIED.read_text(encoding="utf-8")).values()
    ]
    component = {"type": "application", "name": "foldwise", "version": own.version}
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "metadata": {"component": component}, "components": parts}


if __name__ == "__main__":
    written = json.dumps(bill(), indent=2) + "\n"
    if len(sys.argv) > 1:
        Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
        Path(sys.argv[1]).write_text(written, encoding="utf-8")
    else:
        sys.stdout.write(written)
