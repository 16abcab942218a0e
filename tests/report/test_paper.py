from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.samples import from_counts, from_scores, with_pairs

import foldwise as fw
from foldwise.designs import find_procedure, procedure_names
from foldwise.document.comparison_tables import paper_table
from foldwise.document.methods import methods_sentence
from foldwise.document.references import full_reference
from foldwise.render.latex import latex, latex_table


def test_the_methods_sentence_of_scores(scored):
    words = methods_sentence(scored)
    assert "by accuracy (10×10-fold cross-validation) with the corrected repeated k-fold cv t test" in words
    assert "(Bouckaert & Frank, 2004) at level 0.05" in words
    assert "2.6 points (95 % confidence interval −0.8 to 6.1, t = 1.513, 99 df, p = 0.13)" in words
    assert "practical equivalence of ±1 point" in words


def test_tests_named_after_a_person_go_without_article(predicted):
    assert "with McNemar's test (mid-p) (Dietterich, 1998; Fagerland" in methods_sentence(predicted)


def test_tiny_pvalues_are_inequalities():
    assert "p < 0.0001" in methods_sentence(from_counts(10, 1, 60, 65).parts[0])


def test_tests_without_an_interval_leave_it_out():
    c = from_scores((5, 2))
    without_interval = with_pairs(c, _interval=None)
    words = methods_sentence(without_interval.parts[0])
    assert "confidence interval" not in words
    assert "–" not in paper_table(from_scores((5, 2)).parts[0]).rows[0]


@pytest.mark.parametrize(("text", "expected"), [
    ("a_b & c", r"a\_b \& c"),
    ("50 %", r"50\,\%"),
    ("\\input{x}", r"\textbackslash{}input\{x\}"),
    ("$x^2$ ~#", r"\$x\textasciicircum{}2\$ \textasciitilde{}\#"),
    ("10×10 −1 χ² < 2", r"10$\times$10 $-$1 $\chi$$^2$ $<$ 2"),
    ("two\nlines\x00", "two lines "),
])  # fmt: skip
def test_latex_is_escaped(text, expected):
    assert latex(text) == expected


@given(st.text(alphabet=string.printable, max_size=40))
def test_no_text_starts_a_command_or_a_comment(text):
    escaped = latex(text)
    for own in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}", r"\textbar{}", "''",
                r"\,\%", "$<$", "$>$"):  # fmt: skip
        escaped = escaped.replace(own, "")
    assert not re.search(r"(?<!\\)[&%$#_{}~^]", escaped)
    assert not re.search(r"\\[a-zA-Z]", escaped)


def test_the_table_has_as_many_cells_as_columns():
    c = from_counts(names=("a & b", "c_d"))
    header, *rows = (line for line in c.to_latex().splitlines() if line.endswith(r"\\"))
    cells = [len(re.findall(r"(?<!\\)&", line)) for line in (header, *rows)]
    assert cells == [1] * 9
    assert r"a \& b vs c\_d" in header
    assert latex_table(["x"], [], caption="").count(r"\\") == 1


def test_every_test_has_assumptions_and_a_full_reference():
    for name in procedure_names():
        procedure = find_procedure(name)
        assert procedure.kind.assumes
        full = full_reference(procedure.reference)
        assert re.search(r"\(\d{4}\)\. .+(\d+–\d+|not peer-reviewed|arXiv:\d+\.\d+)\.$", full), name
    assert full_reference("Nobody (2050)") == "Nobody (2050)"


def test_a_paper_is_told_which_pairs_differ_and_what_the_margin_concludes():
    marks = {name: [1] * most + [0] * (100 - most) for name, most in (("base", 70), ("mid", 72), ("top", 90))}
    c = fw.compare_predictions(None, marks, metric="accuracy", baseline="base", margin=0.05)
    words = c.methods()
    assert "1 of the pairs showed a difference (top over base)." in words
    assert "With a margin of 5 points (Schuirmann, 1987) the conclusions were: top vs base superior (" in words
    assert "mid vs base non-inferior (" in words
    assert "lei2020cross" not in c.bibtex()  # no set of the best is found by it where there is a baseline
