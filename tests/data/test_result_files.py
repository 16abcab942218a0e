from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.data import read_predictions, read_scores, read_table

finite = st.floats(-1e6, 1e6)


def told(file):
    return {name: list(labels) for name, labels in file.predictions.items()}


class TestPredictions:
    def test_columns_by_position(self):
        file = read_predictions("x,nb,c45\nyes,yes,no\nno,no,no\n")
        assert list(file.truth) == ["yes", "no"]
        assert told(file) == {"nb": ["yes", "no"], "c45": ["no", "no"]}
        assert file.groups is None
        assert file.pair() == ("nb", "c45")

    @pytest.mark.parametrize("name", ["truth", "y_true", "Label", "target", "ACTUAL", "y", "gold", "class"])
    def test_truth_by_name_wherever_it_stands(self, name):
        file = read_predictions(f"id,nb,{name},c45,cluster\n1,a,b,c,g\n")
        assert (list(file.truth), file.names, list(file.groups)) == (["b"], ("nb", "c45"), ["g"])

    def test_columns_said_by_the_caller(self):
        text = "a,b,c,d\n1,2,3,4\n"
        file = read_predictions(text, truth="c", a="d", b="a", groups="b")
        assert (list(file.truth), told(file), list(file.groups)) == (["3"], {"d": ["4"], "a": ["1"]}, ["2"])

    @pytest.mark.parametrize("name", ["group", "Groups", "cluster"])
    def test_a_guessed_group_is_passed_over_on_request(self, name):
        text = f"{name},p,truth,q\ng,1,2,3\n"
        assert list(read_predictions(text).groups) == ["g"]
        file = read_predictions(text, groups="none")
        assert (list(file.truth), file.pair(), file.groups) == (["2"], ("p", "q"), None)
        assert file.roles[name] == "passed over"

    def test_a_group_that_is_passed_over_is_not_taken_for_the_truth(self):
        file = read_predictions("group,x,p,q\ng,1,2,3\n", groups="none")
        assert (list(file.truth), file.names) == (["1"], ("p", "q"))

    def test_a_group_that_is_passed_over_may_be_a_classifier(self):
        file = read_predictions("truth,p,group\n1,2,3\n", groups="none", a="p", b="group")
        assert (told(file), file.groups) == ({"p": ["2"], "group": ["3"]}, None)

    def test_no_group_where_there_is_none(self):
        assert read_predictions("truth,p,q\n1,2,3\n", groups="none").pair() == ("p", "q")

    def test_a_column_named_none_is_not_mistaken_for_no_column(self):
        text = "truth,p,none,cluster\n1,2,3,4\n"
        assert read_predictions(text).pair() == ("p", "none")
        assert read_predictions(text, a="none", b="p").pair() == ("none", "p")
        sentence = "the text has a column 'none', so that 'none' could mean this column or no column: rename the column"
        with pytest.raises(InvalidInput, match=sentence):
            read_predictions(text, groups="none")

    def test_one_classifier_named_and_one_left(self):
        text = "truth,p,q\n1,2,3\n"
        assert read_predictions(text, a="q").names == ("q", "p")
        assert read_predictions(text, b="p").names == ("q", "p")

    def test_more_than_two_need_a_choice(self):
        file = read_predictions("truth,p,q,r\n1,2,3,4\n")
        assert file.names == ("p", "q", "r")
        with pytest.raises(InvalidInput, match=r"3 classifier column\(s\) \(p, q, r\): say which two to compare"):
            file.pair()
        with pytest.raises(InvalidInput, match="say which two"):
            read_predictions("truth,p,q,r\n1,2,3,4\n", a="p")

    def test_one_classifier_is_too_few(self):
        with pytest.raises(InvalidInput, match="two are needed"):
            read_predictions("truth,p\n1,2\n").pair()

    def test_no_classifier(self):
        with pytest.raises(InvalidInput, match="has no classifier column; it has truth, id"):
            read_predictions("truth,id\n1,2\n")

    def test_unknown_column_lists_the_known(self):
        with pytest.raises(InvalidInput, match="the text has no column 'svm'; it has truth, p, q"):
            read_predictions("truth,p,q\n1,2,3\n", a="svm")

    def test_truth_is_no_classifier(self):
        with pytest.raises(InvalidInput, match="column 'p' can't be the truth and the model at once"):
            read_predictions("p,q\n1,2\n", truth="p", a="p", b="q")

    def test_a_classifier_may_have_a_name_that_looks_like_the_truth(self):
        file = read_predictions("gold,Y,q\n1,2,3\n", a="Y", b="q")
        assert (list(file.truth), file.names) == (["1"], ("Y", "q"))

    def test_numbers_are_one_label_however_written(self):
        file = read_predictions("truth,p,q\n1,1.0,0\n0,0.0,1\n0.5,.5,1\n")
        assert list(file.truth) == ["1", "0", "0.5"]
        assert list(file.predictions["p"]) == ["1", "0", "0.5"]

    def test_codes_stay_as_they_are(self):
        assert list(read_predictions("truth,p,q\n01,1,01\n").truth) == ["01"]
        assert list(read_predictions("truth,p,q\n1.0,1,a\n").truth) == ["1.0"]

    def test_a_missing_prediction_is_refused_with_its_line(self):
        with pytest.raises(InvalidInput, match="line 3: column 'q' must hold a label, got ''"):
            read_predictions("truth,p,q\n1,1,1\n1,1,\n")


def long_text(names, runs, folds, values, header="learner,run,fold,score", seed=0):
    rows = [f"{name},{r},{f},{values[i]!r}" for i, (name, r, f) in enumerate(itertools.product(names, runs, folds))]
    random.Random(seed).shuffle(rows)
    return "\n".join([header, *rows, ""])


class TestScores:
    @given(st.integers(1, 4), st.integers(1, 4), st.data())
    def test_long_grid_round_trip_in_any_row_order(self, runs, folds, data):
        values = data.draw(st.lists(finite, min_size=2 * runs * folds, max_size=2 * runs * folds))
        seed = data.draw(st.integers(0, 5))
        file = read_scores(long_text("ab", range(runs), range(folds), values, seed=seed))
        expected = np.array(values).reshape(2, runs, folds)
        assert set(file.names) == {"a", "b"}
        np.testing.assert_array_equal(file.scores["a"], expected[0])
        np.testing.assert_array_equal(file.scores["b"], expected[1])

    @given(st.lists(st.tuples(finite, finite), min_size=1, max_size=8))
    def test_wide_round_trip(self, pairs):
        text = "nb,c45\n" + "".join(f"{a!r},{b!r}\n" for a, b in pairs)
        file = read_scores(text)
        assert file.names == ("nb", "c45")
        np.testing.assert_array_equal(np.column_stack([file.scores["nb"], file.scores["c45"]]), np.array(pairs))

    def test_a_guessed_run_is_passed_over_on_request(self):
        text = "seed,split,a,b\n7,1,0.5,0.25\n8,2,0.75,0.5\n"
        with pytest.raises(InvalidInput, match="no score for learner 'a', seed 7, split 2"):
            read_scores(text)
        file = read_scores(text, run="none")
        assert (file.names, file.runs, file.folds) == (("a", "b"), None, ("1", "2"))
        assert file.scores["a"].tolist() == [0.5, 0.75]
        assert file.roles == {"seed": "passed over", "split": "fold", "a": "score", "b": "score"}
        assert read_scores(text, run="none", fold="none").folds is None

    def test_a_guessed_learner_is_passed_over_on_request(self):
        text = "method,a,b\nx,0.5,0.25\ny,0.75,0.5\n"
        with pytest.raises(InvalidInput, match=r"Not found: score .*\n.*columns=\{'score': 'a'\}"):
            read_scores(text)
        file = read_scores(text, learner="none")
        assert file.scores["b"].tolist() == [0.25, 0.5]
        assert file.roles["method"] == "passed over"

    def test_a_column_of_names_names_models_only_beside_runs_or_folds(self):
        assert read_scores("name,a,b\nx,0.5,0.25\ny,0.75,0.5\n").names == ("a", "b")
        assert read_scores("name,fold,score\nx,1,0.25\ny,1,0.5\n").names == ("x", "y")

    def test_what_is_passed_over_is_not_taken_for_the_score(self):
        text = "learner,seed,speed\na,7,0.5\na,8,0.75\nb,7,0.25\nb,8,0.5\n"
        assert read_scores(text, run="none").metric == "speed"

    @pytest.mark.parametrize("role", ["learner", "run", "fold"])
    def test_a_column_named_none_is_not_mistaken_for_no_column(self, role):
        text = "a,none\n0.5,0.25\n0.75,0.5\n"
        assert read_scores(text).pair() == ("a", "none")
        with pytest.raises(InvalidInput, match="'none' could mean this column or no column: rename the column"):
            read_scores(text, **{role: "none"})

    def test_runs_and_folds_are_ordered_as_numbers(self):
        file = read_scores(long_text("ab", [2, 10, 1], [10, 9], list(map(float, range(12)))))
        assert (file.runs, file.folds) == (("1", "2", "10"), ("9", "10"))
        assert file.scores["a"].tolist() == [[5, 4], [1, 0], [3, 2]]
        assert file.metric == "score"

    @pytest.mark.parametrize(
        "header",
        [
            "model,repeat,split,value",
            "Algorithm,Repetition,Fold,Accuracy",
            "classifier,rep,fold,auc",
            "learner,run,fold,brier",
        ],
    )
    def test_guessed_names(self, header):
        file = read_scores(long_text("ab", [1, 2], [1, 2], list(map(float, range(8))), header=header))
        assert file.scores["b"].tolist() == [[4, 5], [6, 7]]
        assert file.metric == header.split(",")[-1]

    def test_said_names(self):
        text = "p,q,r,s,score\n1,a,1,0.5,7\n1,b,1,0.25,7\n"
        file = read_scores(text, learner="q", run="p", fold="r", score="s")
        assert file.scores["a"].tolist() == [[0.5]]

    def test_wide_with_run_and_fold(self):
        file = read_scores("run,fold,a,b\n2,1,5,6\n1,1,1,2\n1,2,3,4\n2,2,7,8\n")
        assert file.scores["a"].tolist() == [[1, 3], [5, 7]]

    def test_wide_with_an_unnamed_index_and_decimal_commas(self):
        file = read_scores(";a;b\n0;0,5;0,25\n1;0,75;1\n")
        assert file.scores["a"].tolist() == [0.5, 0.75]
        assert (file.runs, file.folds) == (None, None)

    def test_only_a_split_column_gives_one_axis(self):
        file = read_scores("split,learner,score\n2,a,4\n1,a,3\n1,b,1\n2,b,2\n")
        assert file.scores["a"].tolist() == [3, 4]
        assert file.folds == ("1", "2")

    def test_long_without_splits_pairs_by_row_order(self):
        file = read_scores("learner,score\na,1\nb,2\na,3\nb,4\n")
        assert file.scores["a"].tolist() == [1, 3]

    def test_incomplete_grid_names_the_missing_cell(self):
        text = "learner,run,fold,score\na,1,1,1\na,1,2,1\na,2,1,1\nb,1,1,1\nb,1,2,1\nb,2,1,1\nb,2,2,1\n"
        with pytest.raises(InvalidInput, match=r"^the text has no score for learner 'a', run 2, fold 2$"):
            read_scores(text)

    def test_incomplete_rows_without_splits(self):
        with pytest.raises(InvalidInput, match=r"no score for learner 'b', split 2 of its rows \(and 1 more\)"):
            read_scores("learner,score\na,1\nb,2\na,3\na,4\n")

    def test_duplicates_give_the_line(self):
        with pytest.raises(InvalidInput, match=r"line 4 gives learner 'a', run 1, fold 1 a second score"):
            read_scores("learner,run,fold,score\na,1,1,1\nb,1,1,1\na,1,1,2\n")
        with pytest.raises(InvalidInput, match="line 3 gives learner 'a', fold 1 a second score"):
            read_scores("fold,a,b\n1,1,1\n1,1,1\n")

    def test_text_in_a_numeric_column(self):
        with pytest.raises(InvalidInput, match="line 3: column 'score' must hold numbers, got 'high'"):
            read_scores("learner,run,fold,score\na,1,1,1\nb,1,1,high\n")

    def test_no_score_column(self):
        with pytest.raises(InvalidInput, match=r"names the models; the others are x, z.\nNot found: score"):
            read_scores("learner,run,fold,x,z\na,1,1,1,1\n")

    def test_no_learner_column_for_the_score(self):
        with pytest.raises(InvalidInput, match="no learner column to go with the score column 'p'"):
            read_scores("p,q\n1,2\n", score="p")

    def test_one_column_twice(self):
        with pytest.raises(InvalidInput, match="column 'run' can't be the run and the score at once"):
            read_scores("learner,run,x\na,1,1\n", run="run", score="run")

    def test_nothing_but_splits(self):
        with pytest.raises(InvalidInput, match="has no column with scores; it has run, fold"):
            read_scores("run,fold\n1,1\n")

    def test_pair(self):
        assert read_scores("a,b\n1,2\n").pair() == ("a", "b")
        with pytest.raises(InvalidInput, match=r"3 learner column\(s\) \(a, b, c\): say which two"):
            read_scores("a,b,c\n1,2,3\n").pair()


class TestTable:
    @given(st.lists(st.lists(finite | st.none(), min_size=2, max_size=2), min_size=1, max_size=6))
    def test_round_trip_with_gaps(self, rows):
        lines = [f"d{i}," + ",".join("" if v is None else repr(v) for v in row) for i, row in enumerate(rows)]
        table = read_table("\n".join(["data,p,q", *lines, ""]))
        expected = np.array([[np.nan if v is None else v for v in row] for row in rows])
        np.testing.assert_array_equal(table.values, expected)
        assert table.datasets == tuple(f"d{i}" for i in range(len(rows)))
        assert table.missing == tuple((f"d{i}", "pq"[j]) for i, j in np.argwhere(np.isnan(expected)))

    def test_first_column_may_have_no_name(self):
        assert read_table(",p,q\niris,1,2\n").names == ("p", "q")

    def test_data_set_twice(self):
        with pytest.raises(InvalidInput, match=r"line 3 names data set 'iris' again \(first on line 2\)"):
            read_table("data,p\niris,1\niris,2\n")

    def test_text_cell(self):
        with pytest.raises(InvalidInput, match="line 2: column 'q' must hold numbers, got 'x'"):
            read_table("data,p,q\niris,1,x\n")

    def test_infinite_cell(self):
        with pytest.raises(InvalidInput, match="line 2: column 'q' must hold finite numbers, got 'inf'"):
            read_table("data,p,q\niris,1,inf\n")

    def test_names_only(self):
        with pytest.raises(InvalidInput, match="a column of data-set names and at least one learner, has 1 column"):
            read_table("data\niris\n")

    def test_learner_without_a_name(self):
        with pytest.raises(InvalidInput, match="column 3 must have a learner's name, but its header is empty"):
            read_table("data,p,\niris,1,2\n")
