"""Counts by sclite and p of sc_stats' matched pairs test (NIST SCTK 2.4.10, Debian's sctk): python sctk.py.

Prints JSON for ``../sctk.json``.

sclite aligns, sc_stats cuts the utterances into segments at stretches that both systems have right, and compares the
numbers of errors of the segments by a normal test (MAPSSWE); it prints p to three decimals.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BIN = "/usr/lib/sctk/bin"
WORDS = tuple("the cat sat on a mat while dogs ran over green hills and rivers slowly under blue skies".split())  # noqa: SIM905
CASES = {"far": (0.10, 0.14, 1), "near": (0.10, 0.12, 2), "same": (0.12, 0.12, 3)}


def heard(text: str, chance: float, rng: random.Random) -> str:
    out = []
    for word in text.split():
        u = rng.random()
        if u < chance / 2:
            out.append(rng.choice(WORDS))
        elif u >= 3 * chance / 4:
            out.append(word)
        if rng.random() < chance / 8:
            out.append(rng.choice(WORDS))
    return " ".join(out)


def run(*words: str, cwd: str, given: str = "") -> str:
    return subprocess.run(words, cwd=cwd, input=given, capture_output=True, text=True, check=True).stdout


def case(new: float, old: float, seed: int) -> dict[str, object]:
    rng = random.Random(seed)
    texts = [" ".join(rng.choice(WORDS) for _ in range(rng.randint(6, 16))) for _ in range(100)]
    names = [f"s{i // 10:02d}-u{i:03d}" for i in range(len(texts))]
    said = {"new": [heard(t, new, rng) for t in texts], "old": [heard(t, old, rng) for t in texts]}
    with tempfile.TemporaryDirectory() as folder:
        sgml, rates = {}, {}
        for name, lines in {"ref": texts, **said}.items():
            rows = [f"{line} ({key})\n" for line, key in zip(lines, names, strict=True)]
            (Path(folder) / f"{name}.trn").write_text("".join(rows))
        for name in said:
            run(f"{BIN}/sclite", "-r", "ref.trn", "trn", "-h", f"{name}.trn", "trn", "-i", "spu_id", "-o", "sum",
                "sgml", cwd=folder)  # fmt: skip
            sgml[name] = (Path(folder) / f"{name}.trn.sgml").read_text()
            summary = (Path(folder) / f"{name}.trn.sys").read_text()
            rates[name] = float(re.search(r"Sum/Avg *\|.*?\|(.*?)\|", summary)[1].split()[4])
        told = run(
            f"{BIN}/sc_stats", "-p", "-t", "mapsswe", "-u", "-n", "all", cwd=folder, given=sgml["new"] + sgml["old"]
        )
        told += "".join(path.read_text() for path in Path(folder).glob("all*unified"))
    counts = {}
    for name, text in sgml.items():
        rows = {}
        for key, body in re.findall(r'<PATH id="\((.*?)\)".*?>\n(.*?)\n?</PATH>', text, flags=re.S):
            marks = [part[0] for part in re.findall(r"(?:^|:)([CSDI]),", body)]
            rows[key] = [marks.count(kind) for kind in "CSDI"]
        counts[name] = [rows[key] for key in names]
    line = next(line for line in told.splitlines() if "MP" in line and "||" in line)
    p = re.search(r"<?\d\.\d+", line)
    assert p is not None, line
    return {
        "speakers": [key[:3] for key in names],
        "counts": counts,
        "wer": rates,
        "p": p[0],
        "texts": {"ref": texts, **said},
    }


json.dump({name: case(*given) for name, given in CASES.items()}, sys.stdout, indent=None, separators=(",", ":"))
