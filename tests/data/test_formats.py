"""Every format of a table is read at every door; a new one joins by one line in `data/formats`."""

from __future__ import annotations

import numpy as np
import pytest
from data.tables_to_write import PREDICTIONS, SCORES, TABLE, as_csv, written

from foldwise.core.errors import InvalidInput
from foldwise.data import load, read_predictions, read_scores, read_table
from foldwise.data.formats import FORMATS, find_format, first_names, read_sheet
from foldwise.data.text import Content

every_format = pytest.mark.parametrize("found", FORMATS, ids=lambda found: found.name)


@every_format
def test_it_is_known_by_its_beginning_or_its_name(found):
    for suffix in found.suffixes:
        assert suffix == suffix.lower()
        assert suffix.startswith(".")
        assert find_format(Content(text=written(found, TABLE), name=f"X{suffix.upper()}")) is found
    assert find_format(Content(text=written(found, TABLE))) is found


@every_format
def test_its_first_names_are_those_of_the_sheet(found):
    text = written(found, TABLE)
    assert tuple(first_names(Content(text=text))) == read_sheet(text).header == tuple(TABLE[0])


@every_format
def test_all_readers_read_it_from_files_and_text(found, tmp_path):
    for rows, reader in ((PREDICTIONS, read_predictions), (SCORES, read_scores), (TABLE, read_table)):
        path = tmp_path / f"{reader.__name__}{found.suffixes[0]}"
        path.write_text(written(found, rows), encoding="utf-8-sig")
        from_file, from_text, plain = reader(path), reader(written(found, rows)), reader(as_csv(rows))
        assert from_file.names == from_text.names == plain.names
        assert repr(from_file).replace(path.name, "the text") == repr(from_text) == repr(plain)


@every_format
def test_load_reads_it(found, tmp_path):
    path = tmp_path / f"mine{found.suffixes[0]}"
    path.write_text(written(found, TABLE), encoding="utf-8")
    data = load(path, target="data")
    assert data.feature_names == ("nb", "tree")
    assert np.isnan(data.X.values[3, 1])
    assert load("mine", data_dir=tmp_path, target="data").name == "mine"


@every_format
def test_what_it_does_not_read_is_one_sentence_with_a_line(found):
    with pytest.raises(InvalidInput, match=r"^the text"):
        found.read(Content(text=""))
    with pytest.raises(InvalidInput, match=r"^x, line ([89]|1[0-3])\b"):
        found.read(Content(text=written(found, TABLE)[:-6] + '"', source="x"))
