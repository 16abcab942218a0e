from __future__ import annotations

import dataclasses
import gzip

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import foldwise as fw
from foldwise.core.errors import DataNotFound, InvalidInput, UnknownName
from foldwise.core.table import Table
from foldwise.data import available, catalogue, load, save_arff
from foldwise.data.dataset import DataColumn, assemble, content_hash

WEATHER = """@relation weather
@attribute outlook {sunny, rainy}
@attribute temperature real
@attribute play {yes, no, maybe}
@data
sunny,85,no
rainy,?,yes
?,70,yes
"""


@pytest.fixture(autouse=True)
def no_folder(monkeypatch):
    monkeypatch.delenv("FOLDWISE_DATA", raising=False)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "weather.arff").write_text(WEATHER)
    return tmp_path


def test_an_arff_file(folder):
    data = fw.load(folder / "weather.arff")
    assert isinstance(data, fw.Dataset)
    assert (data.name, data.target, data.task) == ("weather", "play", "classification")
    assert data.feature_names == ("outlook", "temperature")
    assert data.feature_kinds == ("nominal", "numeric")
    assert data.y.tolist() == ["no", "yes", "yes"]
    assert data.classes == ("yes", "no", "maybe")
    np.testing.assert_array_equal(data.X.values, [[0, 85], [1, np.nan], [np.nan, 70]])
    assert data.provenance == "file weather.arff"
    assert len(data) == 3


def test_description(folder):
    description = load("weather", data_dir=folder).describe()
    words = " ".join(str(description).split())
    assert words.startswith("weather 3 examples in 2 classes attributes 2 (1 numeric, 1 nominal) missing values 2 ")
    assert "target play (classification) source file weather.arff" in words
    assert "yes 2 66.7 % no 1 33.3 % maybe 0 0.0 %" in words
    assert description.to_dict()["class_counts"] == {"yes": 2, "no": 1, "maybe": 0}


def test_frozen(folder):
    data = load("weather", data_dir=folder)
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.name = "other"


def test_compressed_latin_1_and_marked_files(folder):
    plain = load("weather", data_dir=folder)
    (folder / "packed.arff.gz").write_bytes(gzip.compress(WEATHER.encode()))
    (folder / "marked.arff").write_bytes(b"\xef\xbb\xbf" + WEATHER.encode())
    (folder / "latin.arff").write_bytes(WEATHER.replace("sunny", "schön").encode("latin-1"))
    assert load("packed", data_dir=folder).hash == plain.hash
    assert load("marked", data_dir=folder).hash == plain.hash
    assert load("latin", data_dir=folder).X.categories[0] == ("schön", "rainy")


def test_folder_from_the_environment_and_path_as_text(folder, monkeypatch):
    monkeypatch.setenv("FOLDWISE_DATA", str(folder))
    assert load("weather").hash == load(str(folder / "weather.arff")).hash


@pytest.mark.parametrize(("target", "expected"), [("first", "outlook"), ("last", "play"), ("outlook", "outlook")])
def test_target_by_name_first_or_last(folder, target, expected):
    data = load("weather", data_dir=folder, target=target)
    assert data.target == expected
    assert expected not in data.feature_names


def test_rows_without_a_target_are_left_out_and_said_so(folder):
    data = load("weather", data_dir=folder, target="outlook")
    assert data.y.tolist() == ["sunny", "rainy"]
    assert data.provenance == "file weather.arff; 1 rows without a target left out"


def test_numeric_target_is_a_regression_unless_said_otherwise(folder):
    data = load("weather", data_dir=folder, target="temperature")
    assert (data.task, data.classes, data.y.tolist()) == ("regression", None, [85, 70])
    assert data.describe().class_counts is None
    assert "classes" not in str(data.describe())
    labels = load("weather", data_dir=folder, target="temperature", task="classification")
    assert (labels.classes, labels.y.tolist()) == (("70", "85"), ["85", "70"])


def test_class_column_of_a_known_name_and_by_its_usual_name(tmp_path):
    header = "@relation r\n@attribute {} {{a,b}}\n@attribute x real\n@data\na,1\nb,2\n"
    (tmp_path / "autos.arff").write_text(header.format("symboling"))
    (tmp_path / "other.arff").write_text(header.format("Class"))
    assert load("autos", data_dir=tmp_path).target == "symboling"
    assert load("other", data_dir=tmp_path).target == "Class"


def test_papers_names(tmp_path):
    (tmp_path / "credit-g.arff").write_text(WEATHER)
    assert load("German credit", data_dir=tmp_path).name == "credit-g"
    assert load("german-credit", data_dir=tmp_path).name == "credit-g"


def test_csv_with_missing_values_and_an_index(tmp_path):
    (tmp_path / "t.csv").write_text(",size,colour,class\n0,1.5,red,1\n1,NA,none,2\n2,?,,1\n")
    data = load(tmp_path / "t.csv")
    assert data.feature_names == ("size", "colour")
    assert data.X.categories == (None, ("none", "red"))
    np.testing.assert_array_equal(data.X.values, [[1.5, 1], [np.nan, 0], [np.nan, np.nan]])
    assert (data.classes, data.y.tolist()) == (("1", "2"), ["1", "2", "1"])


def test_csv_target_with_many_values_is_a_regression(tmp_path):
    rows = "\n".join(f"{i},{i}" for i in range(21))
    (tmp_path / "t.csv").write_text("x,y\n" + rows + "\n")
    assert load(tmp_path / "t.csv").task == "regression"
    assert load(tmp_path / "t.csv", task="classification").task == "classification"
    (tmp_path / "u.csv").write_text("x,y\n1,0.5\n2,0.5\n")
    assert load(tmp_path / "u.csv").task == "regression"


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits"])
def test_built_in_classification(name):
    data = load(name)
    assert data.task == "classification"
    assert set(data.y.tolist()) == set(data.classes)
    assert data.X.kinds == ("numeric",) * data.X.shape[1]
    assert data.provenance.startswith("scikit-learn ")


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_files_of_scikit_learn_are_read_as_it_reads_them(name, monkeypatch):
    data = load(name)
    monkeypatch.setattr(catalogue, "_from_file", lambda name: None)
    assert load(name).hash == data.hash
    assert load(name).feature_names == data.feature_names


def test_built_in_regression():
    data = load("diabetes-regression")
    assert (data.task, data.y.dtype, len(data)) == ("regression", np.float64, 442)


def test_the_folder_comes_before_the_built_in(tmp_path):
    (tmp_path / "iris.arff").write_text(WEATHER)
    assert len(load("iris", data_dir=tmp_path)) == 3
    assert len(load("sklearn:iris", data_dir=tmp_path)) == 150


def test_available(folder):
    (folder / "notes.md").write_text("no data")
    (folder / "PROVENANCE.csv").write_text("no data either")
    names = available(folder)
    assert names["weather"] == "weather.arff"
    assert names["digits"] == "scikit-learn"
    assert "notes" not in names
    assert "PROVENANCE" not in names


def test_parquet(tmp_path):
    pandas = pytest.importorskip("pandas", reason="pandas writes the file")
    frame = pandas.DataFrame(
        {"size": [1.5, None], "colour": pandas.Categorical(["b", "a"], categories=["b", "a"]), "y": [1, 0]}
    )
    frame.to_parquet(tmp_path / "t.parquet")
    data = load(tmp_path / "t.parquet")
    assert data.X.categories == (None, ("b", "a"))
    np.testing.assert_array_equal(data.X.values, [[1.5, 0], [np.nan, 1]])
    assert data.y.tolist() == ["1", "0"]


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(
        fw.FoldwiseError, match=r"reading Parquet files needs an optional package: pip install 'foldwise\[data\]'"
    ):
        load(tmp_path / "t.parquet")


class TestRefusals:
    def test_unknown_name_suggests(self):
        with pytest.raises(UnknownName, match="unknown data set 'vehicel': did you mean 'vehicle'"):
            load("vehicel")

    def test_unknown_built_in(self):
        with pytest.raises(UnknownName, match="unknown scikit-learn data set 'irs': did you mean 'iris'"):
            load("sklearn:irs")

    def test_known_but_not_here(self, tmp_path):
        with pytest.raises(
            DataNotFound,
            match=r"'vehicle' is not here: no folder was given \(data_dir or FOLDWISE_DATA\); use openml:54",
        ):
            load("vehicle")
        with pytest.raises(DataNotFound, match=f"'vehicle' is not here: not in {tmp_path}; .*put vehicle.arff into"):
            load("vehicle", data_dir=tmp_path)
        with pytest.raises(DataNotFound, match=r"\(data_dir or FOLDWISE_DATA\); put contact-lenses.arff into"):
            load("contact-lenses")

    def test_missing_folder(self, tmp_path, monkeypatch):
        with pytest.raises(DataNotFound, match="data_dir must be a folder, but there is none at"):
            load("vehicle", data_dir=tmp_path / "absent")
        monkeypatch.setenv("FOLDWISE_DATA", str(tmp_path / "absent"))
        with pytest.raises(DataNotFound, match="FOLDWISE_DATA must be a folder, but there is none at"):
            load("vehicle")

    @pytest.mark.parametrize("ending", ["arff", "arff.gz", "csv", "parquet"])
    def test_missing_file(self, tmp_path, ending):
        with pytest.raises(DataNotFound, match=f"there is no file .*absent.{ending}"):
            load(tmp_path / f"absent.{ending}")

    def test_unknown_ending(self, tmp_path):
        (tmp_path / "t.xlsx").write_bytes(b"PK")
        with pytest.raises(InvalidInput, match=r"t\.xlsx must end with one of \.arff, \.arff\.gz, \.csv"):
            load(tmp_path / "t.xlsx")

    def test_damaged_files(self, tmp_path):
        (tmp_path / "cut.arff.gz").write_bytes(gzip.compress(WEATHER.encode())[:-12])
        (tmp_path / "binary.arff").write_bytes(b"@relation\0")
        (tmp_path / "no.parquet").write_bytes(b"this is not parquet")
        with pytest.raises(InvalidInput, match=r"cut\.arff\.gz must be a whole gzip file, but it is damaged"):
            load(tmp_path / "cut.arff.gz")
        with pytest.raises(InvalidInput, match=r"binary\.arff is a binary file"):
            load(tmp_path / "binary.arff")
        with pytest.raises(InvalidInput, match=r"no\.parquet is not a Parquet file"):
            load(tmp_path / "no.parquet")

    def test_unknown_target(self, folder):
        with pytest.raises(
            InvalidInput,
            match="target must be a column of 'weather', 'first' or 'last', got 'wind'; columns: outlook, temp",
        ):
            load("weather", data_dir=folder, target="wind")

    def test_nominal_target_is_no_regression(self, folder):
        with pytest.raises(InvalidInput, match="task can't be 'regression': the target 'play' is nominal"):
            load("weather", data_dir=folder, task="regression")

    def test_unknown_task(self, folder):
        with pytest.raises(UnknownName, match="unknown task 'ranking'"):
            load("weather", data_dir=folder, task="ranking")

    def test_only_a_target(self, tmp_path):
        (tmp_path / "t.csv").write_text("y\n1\n")
        with pytest.raises(InvalidInput, match="data set 't' has no attributes besides its target 'y'"):
            load(tmp_path / "t.csv")

    def test_empty_target(self, tmp_path):
        (tmp_path / "t.csv").write_text("x,y\n1,?\n")
        with pytest.raises(InvalidInput, match="data set 't' has no row with a value in its target 'y'"):
            load(tmp_path / "t.csv")

    def test_infinite_values(self, tmp_path):
        (tmp_path / "t.csv").write_text("x,y\n1,2\ninf,1.5\n")
        with pytest.raises(InvalidInput, match="values must not be infinite, but row 1 of column 'x' is"):
            load(tmp_path / "t.csv")
        (tmp_path / "t.csv").write_text("x,y\n1,2\n2,inf\n")
        with pytest.raises(InvalidInput, match="target 'y' of data set 't' must not hold infinities"):
            load(tmp_path / "t.csv")

    def test_neither_name_nor_path(self):
        with pytest.raises(InvalidInput, match="name_or_path must be a name or a path, got int"):
            load(61)


values = arrays(np.float64, (3, 2), elements=st.floats(-1e9, 1e9) | st.just(np.nan))
labels = st.lists(st.sampled_from(["a", "b"]), min_size=3, max_size=3)


class TestHash:
    @given(values, labels, st.integers(0, 5), st.floats(-1e9, 1e9))
    def test_a_changed_value_changes_it(self, table, y, where, new):
        changed = table.copy()
        changed.flat[where] = new
        same = np.array_equal(changed, table, equal_nan=True)
        assert (self.of(changed, y) == self.of(table, y)) is same

    @given(values, labels, labels)
    def test_a_changed_label_changes_it(self, table, y, other):
        assert (self.of(table, y) == self.of(table, other)) is (y == other)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(values, labels)
    def test_reloading_leaves_it(self, tmp_path, table, y):
        columns = [DataColumn(name=f"x{j}", values=table[:, j]) for j in range(2)]
        data = assemble([*columns, DataColumn.nominal("class", y, "ab")], target="last", name="t", provenance="made")
        again = load(save_arff(data, tmp_path / "t.arff"))
        assert again.hash == data.hash
        np.testing.assert_array_equal(again.X.values, data.X.values)

    def test_memory_layout_and_sign_of_zero_leave_it(self):
        table = np.array([[0.0, np.nan], [1, 2], [3, 4]])
        signed = np.asfortranarray(np.where(table == 0, -0.0, table))
        assert self.of(signed, ["a", "b", "a"]) == self.of(table, ["a", "b", "a"])

    def test_names_categories_and_classes_count(self):
        table, y = np.zeros((2, 1)), np.array(["a", "a"])
        hashes = {
            content_hash(Table.build(table, categories, names), y, classes)
            for categories, names, classes in [
                (None, ["x"], ("a",)),
                (None, ["z"], ("a",)),
                ([("u",)], ["x"], ("a",)),
                ([("v",)], ["x"], ("a",)),
                (None, ["x"], ("a", "b")),
            ]
        }
        assert len(hashes) == 5

    def test_the_same_on_every_machine(self):
        assert (
            self.of(np.arange(6.0).reshape(3, 2), ["a", "b", "a"])
            == "cbbd9d3a9067ca42bdcebaa1efd0f3c062606093aaef21b7d4cb6ce07a7ec363"
        )

    @staticmethod
    def of(table, y):
        return content_hash(Table.build(table), np.array(y), ("a", "b"))


def test_regression_targets_survive_saving(tmp_path):
    data = load("diabetes-regression")
    again = load(save_arff(data, tmp_path / "again.arff"))
    assert again.hash == data.hash
    assert not list(tmp_path.glob("*.part"))


def test_saving_where_nothing_can_be_written(tmp_path):
    with pytest.raises(
        InvalidInput,
        match=r"the data set must go to a file that can be written, got .*t\.arff': No such file or directory",
    ):
        save_arff(load("iris"), tmp_path / "absent" / "t.arff")
