"""Long tables by the names that people give columns."""

import numpy as np
import pytest

from foldwise.core.errors import InvalidInput
from foldwise.reading import ItemRows, SplitRows, WholeTask, find_sources, read_sources


def read(tmp_path, text, name="table.csv"):
    (tmp_path / name).write_text(text)
    return read_sources(find_sources([tmp_path / name])).series


def test_amlb_results_are_folds_of_tasks(tmp_path):
    rows = [
        f"openml/{i},{task},{tool},1h8c,{fold},{0.8 + fold / 100 if tool != 'slow' else ''},neg_logloss,{7 * fold}"
        for i, task in enumerate(("adult", "kc1"))
        for tool in ("flaml", "slow")
        for fold in range(3)
    ]
    found = read(tmp_path, "id,task,framework,constraint,fold,result,metric,seed\n" + "\n".join(rows))
    assert {(one.task, one.model, one.metric) for one in found} == {
        (task, tool, "neg_logloss") for task in ("adult", "kc1") for tool in ("flaml", "slow")
    }
    slow = next(one for one in found if one.model == "slow")
    assert isinstance(slow.rows, SplitRows)
    assert slow.missing == {"failed": 3}


def test_tabarena_errors_are_lower_is_better(tmp_path):
    text = "method,dataset,fold,metric_error\n" + "".join(
        f"{m},d{d},{f},0.1\n" for m in "ab" for d in "xy" for f in "012"
    )
    found = read(tmp_path, text)
    assert {one.higher_is_better for one in found} == {False}
    assert {one.rows.count for one in found} == {3}


def test_items_with_trials_and_clusters(tmp_path):
    text = "model,question_id,epoch,passage,score\n"
    text += "".join(f"{m},q{q},{t},p{q // 2},{(q + t) % 2}\n" for m in "ab" for q in range(4) for t in (1, 2))
    found = read(tmp_path, text)
    assert [one.model for one in found] == ["a", "b"]
    rows = found[0].rows
    assert isinstance(rows, ItemRows)
    assert rows.trials == ["1", "2"] * 4
    assert list(rows.clusters["passage"]) == ["p0"] * 4 + ["p1"] * 4


def test_every_numeric_column_is_a_metric_where_none_says_which(tmp_path):
    found = read(tmp_path, "learner\trun\tfold\tauc\tf1\nnb\t1\t1\t0.9\t0.8\nc45\t1\t1\t0.7\t0.6\n", "scores.tsv")
    assert {one.metric for one in found} == {"auc", "f1"}
    assert isinstance(found[0].rows, SplitRows)


def test_one_row_per_task_is_a_whole(tmp_path):
    found = read(tmp_path, "dataset,model,accuracy\niris,a,0.9\niris,b,0.8\nwine,a,0.7\nwine,b,0.6\n")
    assert all(isinstance(one.rows, WholeTask) for one in found)
    assert np.concatenate([one.values for one in found]).tolist() == [0.9, 0.8, 0.7, 0.6]


def test_rows_that_nothing_tells_apart_are_refused(tmp_path):
    with pytest.raises(InvalidInput, match=r"with 2 rows for 'a' on one task\.\nNot found: item .* or fold "):
        read(tmp_path, "model,accuracy\na,0.9\na,0.8\nb,0.7\n")


def test_a_table_without_numbers_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="no other column holds numbers"):
        read(tmp_path, "model,item\na,q1\nb,q1\n")
