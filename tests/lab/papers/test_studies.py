from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.lab.papers import Study, Task
from foldwise.lab.papers import bouckaertfrank2004 as bouckaertfrank
from foldwise.lab.papers.bouckaert2003.tables import agreeing_numerators
from foldwise.lab.papers.study import Findings
from foldwise.lab.studies import PAPERS, all_studies, find_studies

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
DATA = os.environ.get("FOLDWISE_DATA", str(SHARED))

STUDIES = all_studies()


@cache
def smoke(key):
    (study,) = find_studies(key)
    return study.run("smoke", data_dir=DATA)


POSSIBLE = [study for study in STUDIES if not study.data or Path(DATA).is_dir()]
"""Studies whose data sets are on this machine."""


@pytest.mark.parametrize("study", POSSIBLE, ids=lambda study: study.key)
def test_every_study_runs_and_can_be_saved(study):
    result = smoke(study.key)
    assert result.rows
    assert sum(result.verdicts().values()) == len(result.rows)
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["key"] == study.key
    assert study.title in str(result)
    for chart in result.charts:
        for series in chart.series:
            assert len(series.x) == len(series.y)
            assert np.isfinite(series.y).all()


# chance alone may make rows of a simulation differ, the more so at smoke scale
EXACT = [study for study in STUDIES if study.seconds[1] < 1]


@pytest.mark.parametrize("study", EXACT, ids=lambda study: study.key)
def test_differences_are_explained(study):
    for row in smoke(study.key).rows:
        assert row.verdict != "differs" or not row.note.startswith("unexplained"), row.label


def test_keys_are_unique_and_belong_to_a_paper():
    keys = [study.key for study in STUDIES]
    assert len(set(keys)) == len(keys)
    assert {study.paper for study in STUDIES} <= set(PAPERS)


def test_a_paper_or_all_may_be_asked_for():
    assert {study.paper for study in find_studies("dietterich1998")} == {"dietterich1998"}
    assert find_studies("all") == STUDIES


def test_unknown_study():
    with pytest.raises(UnknownName, match=r"did you mean 'dietterich1998/figure5'"):
        find_studies("dietterich1998/figur5")


def test_same_seed_same_rows():
    first = smoke("dietterich1998/figure5")
    (study,) = find_studies("dietterich1998/figure5")
    assert study.run("smoke").rows == first.rows
    assert study.run("smoke", seed=1).rows != first.rows


def test_scale_and_seed_are_checked():
    with pytest.raises(InvalidInput, match="scale"):
        Task(scale="huge")
    with pytest.raises(InvalidInput, match="seed must be"):
        Task(seed=-1)


def test_missing_data_are_named(tmp_path):
    study = Study(
        key="x/y",
        title="t",
        reference="r",
        compute=lambda task: Findings(rows=()),
        data=("letter", "iris"),
        seconds=(1, 1),
    )
    assert study.missing(tmp_path) == ("letter",)


def test_printed_table_1_has_the_27_data_sets_and_the_text_beside_it():
    # section 4.1: "all datasets except the vehicle dataset"; "differently in 19 out of 27 cases"
    draws = bouckaertfrank.DRAWS
    assert len(draws) == 27
    first = [counts[0] for counts in draws.values()]
    assert [name for name, counts in draws.items() if counts[0] == 0] == ["vehicle"]
    assert sum(count < 10 for count in first) == 19


def test_printed_summaries_have_one_value_per_column():
    for table, columns in ((bouckaertfrank.TABLE_1, 1), (bouckaertfrank.TABLE_2, 4), (bouckaertfrank.TABLE_3, 4),
                           (bouckaertfrank.TABLE_4, 4)):  # fmt: skip
        assert set(table) == set(bouckaertfrank.PAIRS)
        for consistent, almost, R in table.values():
            assert len(consistent) == len(almost) == len(R) == columns
            assert all(int(c) <= int(a) <= 27 for c, a in zip(consistent, almost, strict=True))


def test_level_five_per_cent_is_printed_the_same_in_tables_3_and_4():
    for pair in bouckaertfrank.PAIRS:
        for third, fourth in zip(bouckaertfrank.TABLE_3[pair], bouckaertfrank.TABLE_4[pair], strict=True):
            assert third[3] == fourth[2]


def test_dietterich_figure_5_orders_the_tests():
    result = smoke("dietterich1998/figure5")
    rates = {row.label: row.ours for row in result.rows}
    for error in (0.1, 0.2, 0.3, 0.4):
        others = [v for k, v in rates.items() if k.endswith(f"ε = {error}") and not k.startswith("resampled")]
        assert rates[f"resampled t, ε = {error}"] > max(others)


def test_five_by_two_is_fooled_where_the_first_replication_varies_most():
    rates = {row.label: row.ours for row in smoke("dietterich1998/section7").rows}
    assert rates["first replication at 0.5, the others at 0.1"] > 0.07
    assert rates["common rate jumps between 0.1 and 0.9"] < 0.05
    assert rates["common rate anywhere between 0.1 and 0.9"] < 0.05
    assert rates["each learner's own rate jumps between 0.1 and 0.9"] > 0.3


def test_table_5_comes_out_with_its_slip():
    rows = smoke("martinhirschberg1996/table5").rows
    slipped = [row for row in rows if row.label.endswith("with the slip")]
    assert len(slipped) == 21
    assert {row.verdict for row in slipped} == {"agree"}
    right = [row for row in rows if "conspicuous" in row.label and row not in slipped]
    assert {row.ours for row in right} == {0.0}


def test_ten_numerators_agree_or_not():
    # the first data set has one large difference, of which the test with another numerator knows nothing
    x = np.zeros((2, 1, 5, 2))
    x[0, 0] = [[9, 8.5], [0.1, 0.2], [0.2, 0.1], [0, 0.1], [0.1, 0]]
    x[1, 0] = [[1, -1]] * 5
    assert agreeing_numerators(x) == 0.5


def test_printed_replicability_of_five_by_two_needs_the_ten_numerators():
    rows = {row.label: row for row in smoke("bouckaert2003/table5").rows}
    assert rows["5×2 cv, the ten numerators of one, set 1"].printed == rows["5×2 cv, set 1"].printed == "72.3"
