"""Hostile text costs no more than its length: memory by doubling, time by inputs that no quadratic reader ends."""

from __future__ import annotations

import contextlib
import gzip
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from foldwise.core.amounts import check_amount
from foldwise.core.errors import InvalidInput, LimitExceeded
from foldwise.core.named_objects import parse_spec
from foldwise.core.replicates import refuse_replicate_labels
from foldwise.core.roles import normalised
from foldwise.data import load, read_predictions, read_scores, read_table
from foldwise.data.formats import FORMATS, find_format, first_names
from foldwise.data.formats.arff import parse_arff
from foldwise.data.loading import MOST_UNPACKED
from foldwise.data.packed import read_text
from foldwise.data.sheet import parse_number
from foldwise.data.text import Content
from foldwise.reading.catalogue import READERS as RESULTS
from foldwise.reading.source import HEAD as MOST_HEAD
from foldwise.reading.source import SourceFile

HEAD = "@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n"
ARFF = {
    "blanks before a comma": lambda n: HEAD + f"1{' ' * n}x,'y'\n",
    "blanks in a spread": lambda n: HEAD + f"1 ({' ' * (n // 2)}1{' ' * (n // 2)},'y'\n",
    "blanks in quotes": lambda n: HEAD + f"'{' ' * n},'y'\n",
    "blanks after quotes": lambda n: HEAD + f"'1'{' ' * n}z,'y'\n",
    "blanks after a type": lambda n: f"@relation r\n@attribute a real{' ' * n}x\n@data\n1\n",
    "blanks after a name": lambda n: f"@relation r\n@attribute{' ' * n}a\n@data\n1\n",
    "brackets after a type": lambda n: f"@relation r\n@attribute a real {'[' * n}\n@data\n1\n",
    "declared values": lambda n: f"@relation r\n@attribute a {{{','.join(map(str, range(n // 6)))}}}\n@data\n1\n",
    "attributes": lambda n: "@relation r\n" + "".join(f"@attribute a{i} real\n" for i in range(n // 20)) + "@data\n1\n",
    "quotes": lambda n: HEAD + "'" * n + "\n",
    "escapes": lambda n: HEAD + "'" + "\\'" * (n // 2) + "\n",
    "open quotes and commas": lambda n: HEAD + "'\\',\"" * (n // 5) + "\n",
    "comments": lambda n: HEAD + "'\"%" * (n // 3) + "\n",
    "commas": lambda n: HEAD + "," * n + "'\n",
}
SHEETS = {
    "a run and fold for each row": lambda n: (
        "learner,run,fold,score\n" + "".join(f"{'ab'[i % 2]},{i},{i},0.5\n" for i in range(n // 14))
    ),
    "a learner for each row": lambda n: "learner,fold,score\n" + "".join(f"m{i},{i},0.5\n" for i in range(n // 14)),
    "columns": lambda n: ",".join(f"c{i}" for i in range(n // 8)) + "\n" + ",".join("1" for _ in range(n // 8)) + "\n",
    "blank lines": lambda n: "a,b\n" + "\n" * n + "1,2\n",
    "quotes": lambda n: "a,b\n" + '"' * n + "\n",
    "carriage returns": lambda n: "a,b\r" + "1,2\r" * (n // 4),
    "objects": lambda n: '{"truth": 1, "a": 0.5, "b": 1}\n' * (n // 30),
    "an object with a key for each row": lambda n: "".join(f'{{"a": 1, "b{i}": 2}}\n' for i in range(n // 20)),
    "one object of many keys, then empty ones": lambda n: (
        "{" + ",".join(f'"c{i}": 1' for i in range(n // 20)) + "}\n" + "{}\n" * (n // 6)
    ),
    "brackets in an object": lambda n: '{"a": ' + "[" * n + "\n1\n",
    "an object's open text": lambda n: '{"a": "' + "\\" * n + "\n1\n",
    "one long cell": lambda n: "a,b\n" + "1" * n + ",2\n",
}
READERS = [
    *((f"arff: {name}", lambda text: parse_arff(text, "x.arff"), make) for name, make in ARFF.items()),
    *((f"{reader.__name__}: {name}", reader, make) for reader in (read_scores, read_predictions, read_table)
      for name, make in SHEETS.items()),
]  # fmt: skip


def tried(reader, text):
    with contextlib.suppress(InvalidInput):
        reader(text)


def peak(reader, text):
    tracemalloc.start()
    try:
        tried(reader, text)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("reader", "make"), [case[1:] for case in READERS], ids=[case[0] for case in READERS])
def test_memory_grows_no_faster_than_the_text(reader, make):
    tried(reader, make(20_000))  # what is kept of names is bounded, and filled once
    small, large = (peak(reader, make(n)) for n in (10_000, 20_000))
    assert large < 2.6 * small + 50_000  # tables of dictionaries double at their own pace
    assert large < 20_000 * 200  # a repeated group of a regular expression takes most: 170 bytes a character


def test_no_reader_needs_the_square_of_the_length():
    """Each case takes a fraction of a second; where a step was quadratic, 60,000 characters took half a minute.

    Seconds of the processor, whatever else the machine does.
    """
    code = (
        "import resource, test_growth as here\n"
        "for name, reader, make in here.READERS:\n"
        "    used = resource.getrusage(resource.RUSAGE_SELF).ru_utime\n"
        "    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + 20, resource.RLIM_INFINITY))\n"
        "    print(name, flush=True)\n"
        "    here.tried(reader, make(100_000))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, HERE])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout.splitlines()[-1] + done.stderr


HERE = str(Path(__file__).parent)

REPEATED = ("\n", " ", "\t", "\r\n", " \n", "%", "%\n", "'", '"', "\\", "[", "]", "{", "(", "_", ",", "1", "a", "a_1 ")
BEFORE = ("", "@attribute ", "@attribute '", "[", '{"columns"', '{"', "a", "1 (", "fold ", "split1_test_", "%")
"""With every run of `REPEATED` behind it, and something behind that which no pattern expects."""


def source(text, name):
    """A file that begins so, which is nowhere."""
    made = SourceFile(Path(name), name)
    made.__dict__["head"] = text.encode()[:MOST_HEAD]
    return made


RECOGNISERS = {
    "text or a file": lambda text: read_text(text + "\n"),
    "a table": lambda text: find_format(Content(text=text)),
    **{f"columns of {one.name}": lambda text, one=one: one.first_names(text) for one in FORMATS},
    "columns": lambda text: first_names(Content(text=text)),
    **{one.name: lambda text, one=one: [one.recognises(source(text, name)) for name in ("x.csv", "x.json", "x.jsonl")]
       for one in RESULTS},
    "a column's name": normalised,
    "columns of results": lambda text: [
        one.recognises(source(f"a,{text[:8000]}\n1,2\n", "x.csv")) for one in RESULTS
    ],
    "a number": parse_number,
    "a data set's name": lambda text: refuse_replicate_labels([text]),
    "an amount": lambda text: check_amount(text, "margin"),
    "a learner": lambda text: parse_spec(text[:9000], "learner"),
}  # fmt: skip


def test_no_recogniser_tries_a_run_of_characters_twice():
    """Repeated blanks, quotes, brackets and percent signs, doubled until a square would take the processor's seconds.

    The longest is what is looked at of a file. A pattern that goes back is a matter of minutes there, or of years.
    """
    code = (
        "import resource, test_growth as here\n"
        "for name, recognise in here.RECOGNISERS.items():\n"
        "    for repeated in here.REPEATED:\n"
        "        used = resource.getrusage(resource.RUSAGE_SELF).ru_utime\n"
        "        resource.setrlimit(resource.RLIMIT_CPU, (int(used) + 4, resource.RLIM_INFINITY))\n"
        "        for before in here.BEFORE:\n"
        "            print(name, repr(before), repr(repeated), flush=True)\n"
        "            for n in (30, here.MOST_HEAD):\n"
        "                here.tried(recognise, before + repeated * (n // len(repeated)) + '\\x7f')\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, HERE])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout.splitlines()[-1] + done.stderr


def test_a_small_file_that_unpacks_to_much_is_refused(tmp_path):
    path = tmp_path / "bomb.arff.gz"
    block = gzip.compress(b" " * 16_000_000)
    path.write_bytes(block * (MOST_UNPACKED // 16_000_000 + 1))
    assert path.stat().st_size < 500_000
    with pytest.raises(LimitExceeded, match=r"bomb.arff.gz unpacks to more than 256,000,000 bytes, the limit"):
        load(path)


@pytest.mark.parametrize("keep", [100, 60, 30])
def test_a_damaged_compressed_file_is_one_sentence(tmp_path, keep):
    path = tmp_path / "x.arff.gz"
    packed = bytearray(gzip.compress(ARFF["quotes"](500).encode() * 9))
    path.write_bytes(packed[: len(packed) * keep // 100][:-4] + b"\xff\xff\xff\xff")
    with pytest.raises(InvalidInput, match="is damaged"):
        load(path)


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet as pq

    path = tmp_path_factory.mktemp("parquet") / "x.parquet"
    pq.write_table(pa.table({"a": [1.0, 2.0, 3.0] * 9, "class": ["x", "y", "z"] * 9}), path)
    return path.read_bytes()


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_parquet_file_is_one_sentence_or_a_table(parquet, tmp_path, seed):
    import random

    rng = random.Random(seed)
    raw = bytearray(parquet)
    for _ in range(rng.randrange(1, 9)):
        raw[rng.randrange(4, len(raw))] = rng.randrange(256)
    path = tmp_path / "x.parquet"
    path.write_bytes(raw if seed % 3 else raw[: rng.randrange(5, len(raw))])
    with contextlib.suppress(InvalidInput):
        assert load(path).X.shape[1] == 1


def test_a_small_parquet_file_of_many_rows_is_refused(tmp_path, monkeypatch):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet as pq

    from foldwise.data import frames

    monkeypatch.setattr(frames, "MOST_CELLS", 1000)
    pq.write_table(pa.table({"a": [1.0] * 600, "class": ["x"] * 600}), tmp_path / "x.parquet")
    with pytest.raises(InvalidInput, match="must hold at most 1,000 cells, but says that it has 1,200"):
        load(tmp_path / "x.parquet")


@pytest.mark.parametrize("kept", [True, False])
def test_a_small_parquet_file_of_long_texts_is_refused_before_they_are_unpacked(tmp_path, monkeypatch, kept):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet as pq

    from foldwise.data import frames

    monkeypatch.setattr(frames, "MOST_BYTES", 10 << 20)
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 5000), pa.array(["x" * 100_000]))  # half a gigabyte
    pq.write_table(pa.table({"model": texts, "class": ["x"] * 5000}), tmp_path / "x.parquet", store_schema=kept)
    assert (tmp_path / "x.parquet").stat().st_size < 200_000
    for door in (load, read_table):
        with pytest.raises(LimitExceeded, match=r"x\.parquet unpacks to more than 10 MB"):
            door(tmp_path / "x.parquet")
