"""Which constants and comparisons of the code that carries the numbers could be wrong without a test that fails?

``python tests/mutation.py`` changes each number, comparison and operator of `inference/`, `comparison/` and
`designs/`, one at a time, in a copy of the source, runs the tests of that file, and lists the changes that no
test noticed. A whole round takes hours: name files, or take a sample (``--sample 40``). With ``--journal FILE`` what
was done already is not done again. pytest does not collect this file, and `make test` does not run it.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "foldwise"
TARGETS = ("inference", "comparison", "designs")

TESTS = {
    "inference/many": ("tests/inference/many", "tests/planning"),
    "inference": ("tests/inference", "tests/planning", "tests/cli"),
    "comparison": ("tests/comparison", "tests/cli"),
    "designs": ("tests/comparison", "tests/lab", "tests/doors"),
}
"""By the start of a file's path, where its tests are; those that name something public of it are run."""

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult, ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True)
class Mutation:
    """One change: the file, the position of the node among all that can change, and the change in words."""

    file: str
    index: int
    way: int
    line: int
    before: str
    after: str

    @property
    def key(self) -> str:
        """The same as long as the file's code is."""
        return f"{self.file}:{self.line}:{self.index}: {self.before}  →  {self.after}"


def ways(node: ast.AST) -> int:
    """In how many ways this node is changed: numbers are raised and lowered (an axis of −1 becomes 0 that way)."""
    return 2 if isinstance(node, ast.Constant) and not isinstance(node.value, bool) else 1


def places(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes that can change, in a fixed order; what is only for people and type checkers is left alone."""
    silent = set()
    for node in ast.walk(tree):
        for part in ("annotation", "returns"):
            if getattr(node, part, None) is not None:
                silent.update(map(id, ast.walk(getattr(node, part))))
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_type_alias(node):
            silent.update(map(id, ast.walk(node)))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("dataclass", "lru_cache", "Literal"):
            silent.update(map(id, ast.walk(node)))
        if isinstance(node, ast.Raise):
            silent.update(map(id, ast.walk(node)))
    for node in ast.walk(tree):
        if id(node) not in silent and _can_change(node):
            yield node


def _is_type_alias(node: ast.Assign | ast.AnnAssign) -> bool:
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return node.col_offset == 0 and isinstance(target, ast.Name) and target.id[:1].isupper() and target.id[1:].islower()


def _can_change(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool | int | float)
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in SWAPS
    if isinstance(node, ast.BinOp):
        return type(node.op) in SWAPS and not any(_is_text(side) for side in (node.left, node.right))
    return isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def changed(node: ast.AST, way: int) -> None:
    """Make the change, in place."""
    if isinstance(node, ast.Constant):
        node.value = other_number(node.value, way)  # type: ignore[arg-type]
    elif isinstance(node, ast.Compare):
        node.ops[0] = SWAPS[type(node.ops[0])]()  # type: ignore[call-overload]
    elif isinstance(node, ast.BinOp | ast.BoolOp):
        node.op = SWAPS[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()


def other_number(value: float, way: int) -> float:
    """The number raised (way 0) or lowered (way 1)."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + (1 if way == 0 else -1)
    if way == 1:
        # nine tenths of a tolerance tell nothing: it is taken away
        return -0.01 if value == 0 else 0.0 if value < 1e-6 else 0.9 * value
    # a fraction stays one, so that a validated share is not simply refused
    return value + 0.1 * (1 - value) if value < 1 else 1.1 * value


def mutations(file: str) -> list[Mutation]:
    """Every change of one file."""
    tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    statements = _statements(tree)
    found = []
    for index, node in enumerate(places(tree)):
        before = ast.unparse(statements.get(id(node), node)).split("\n")[0]
        line = getattr(node, "lineno", 0)
        for way in range(ways(node)):
            other = copy.deepcopy(node)
            changed(other, way)
            was, now = ast.unparse(node), ast.unparse(other)
            found.append(Mutation(file, index, way, line, f"{before[:90]}  [{was}", f"{now}]"))
    return found


def _statements(tree: ast.Module) -> dict[int, ast.AST]:
    """For each node the innermost statement around it."""
    around: dict[int, ast.AST] = {}
    for statement in ast.walk(tree):
        if isinstance(statement, ast.stmt):
            around.update((id(node), statement) for node in ast.walk(statement))
    return around


def mutated_source(mutation: Mutation) -> str:
    """The file with this change."""
    tree = ast.parse((PACKAGE / mutation.file).read_text(encoding="utf-8"))
    changed(list(places(tree))[mutation.index], mutation.way)
    return ast.unparse(ast.fix_missing_locations(tree))


def tests_of(file: str) -> list[str]:
    """The test files that name the module or something public of it; all of the folder's where none does."""
    folders = next(where for start, where in TESTS.items() if file.startswith(start))
    tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    names = {Path(file).stem} | {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"
    }
    files = [path for folder in folders for path in sorted((ROOT / folder).rglob("test_*.py"))]
    naming = [path for path in files if any(name in path.read_text(encoding="utf-8") for name in names)]
    # the file's own tests first: they fail soonest
    naming.sort(key=lambda path: Path(file).stem not in path.stem)
    return [str(path.relative_to(ROOT)) for path in naming or files]


def survives(mutation: Mutation, copy_of_source: Path, timeout: float) -> bool:
    """Whether all tests of the file pass in spite of the change; a run that does not end is noticed too."""
    target = copy_of_source / "foldwise" / mutation.file
    original = target.read_text(encoding="utf-8")
    target.write_text(mutated_source(mutation), encoding="utf-8")
    try:
        return passes(tests_of(mutation.file), copy_of_source, timeout)
    finally:
        target.write_text(original, encoding="utf-8")


def passes(tests: list[str], copy_of_source: Path, timeout: float | None) -> bool:
    """Whether these tests pass with this copy of the source."""
    environment = os.environ | {
        "PYTHONPATH": str(copy_of_source),
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    # pyproject.toml puts this tree's own src first, which would hide every change
    command += ["-o", f"pythonpath={copy_of_source} tests"]
    try:
        done = subprocess.run(  # our own tests
            command, cwd=ROOT, env=environment, timeout=timeout, capture_output=True, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _wanted(names: list[str]) -> list[str]:
    paths = [PACKAGE / name for name in names or TARGETS]
    files = [path for given in paths for path in ([given] if given.suffix else sorted(given.rglob("*.py")))]
    return [str(path.relative_to(PACKAGE)) for path in files]


def main() -> int:
    """Run, and list the survivors; exit code 1 when there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="files or folders below src/foldwise")
    parser.add_argument("--sample", type=int, help="this many changes, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=300, help="seconds for the tests of one change")
    parser.add_argument("--journal", type=Path, help="file of outcomes, which a second run takes up")
    options = parser.parse_args()
    todo = [mutation for file in _wanted(options.files) for mutation in mutations(file)]
    if options.sample is not None and options.sample < len(todo):
        todo = random.Random(options.seed).sample(todo, options.sample)  # no secret
    outcomes = _journal(options.journal)
    copies: Queue[Path] = Queue()

    def run(mutation: Mutation) -> None:
        source = copies.get()
        try:
            outcomes[mutation.key] = survives(mutation, source, options.timeout)
        finally:
            copies.put(source)
        line = json.dumps({"change": mutation.key, "survived": outcomes[mutation.key]}, ensure_ascii=False)
        if options.journal is not None:
            with options.journal.open("a", encoding="utf-8") as out:
                out.write(line + "\n")
        print("SURVIVED" if outcomes[mutation.key] else "noticed ", mutation.key, flush=True)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        for job in range(options.jobs):
            shutil.copytree(ROOT / "src", Path(folder) / str(job))
            copies.put(Path(folder) / str(job))
        todo_now = [mutation for mutation in todo if mutation.key not in outcomes]
        tests = {test for file in {mutation.file for mutation in todo_now} for test in tests_of(file)}
        if tests and not passes(sorted(tests), Path(folder) / "0", None):
            sys.exit("The tests fail without any change: they would 'notice' every change.")
        list(pool.map(run, todo_now))
    survivors = [mutation.key for mutation in todo if outcomes[mutation.key]]
    print(f"\n{len(survivors)} of {len(todo)} changes survived", *survivors, sep="\n  ")
    return 1 if survivors else 0


def _journal(path: Path | None) -> dict[str, bool]:
    if path is None or not path.exists():
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["change"]: row["survived"] for row in rows}


if __name__ == "__main__":
    sys.exit(main())
