"""What a paper needs: BibTeX, citations, the table of scores, the diagram of ranks, and the folder with all of it."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from report.test_contract import MAKERS
from scipy import stats

import foldwise as fw
from foldwise.comparison import compare_rates
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.document.references import bibliography, bibtex, bibtex_entry, citation, cited_in, entry_key, with_cites
from foldwise.inference import interval_survey
from foldwise.render.paper import _pdf, critical_difference_tikz, paper_contents, paper_zip, score_table_latex

RNG = np.random.default_rng(0)
SHIFTS = {"nb_1": 0.0, "c4.5": 0.03, "1nn": -0.05, "svm & co": 0.04}
SCORES = {
    name: {f"set {i}": float(s) for i, s in enumerate(RNG.normal(0.8, 0.02, 12) + d)} for name, d in SHIFTS.items()
}


@pytest.fixture(scope="module")
def many():
    return fw.compare_table(pd.DataFrame(SCORES), metric="accuracy")


@pytest.fixture(scope="module")
def two():
    b = RNG.normal(0.8, 0.02, (3, 5))
    return fw.compare_scores({"x": b + 0.05, "y_1": b}, n_train=80, n_test=20)


@pytest.mark.parametrize("full", bibliography().values())
def test_every_reference_has_a_whole_entry(full):
    entry = bibtex_entry(full)
    assert entry.count("{") == entry.count("}")
    named = set(re.findall(r"^  (\w+) =", entry, flags=re.MULTILINE))
    kind = re.match(r"@(\w+)", entry)[1]
    needs = {"article": {"journal", "volume", "pages"}, "inproceedings": {"booktitle", "pages"}, "book": {"publisher"}}
    assert {"author", "title", "year"} | needs.get(kind, set()) <= named
    initials = len(re.findall(r", (?:[A-Z]\. ?)+", full.split(" (")[0] + " "))
    assert entry.count(" and ") - entry.split("title =")[1].count(" and ") == max(initials - 1, 0)


def test_keys_are_different():
    assert len(set(map(entry_key, bibliography().values()))) == len(bibliography())


def test_what_is_cited_is_found_and_nothing_else():
    text = "by X (Bouckaert & Frank, 2004), as Holm (1979) did; not Bouckaert"
    assert [entry_key(full) for full in cited_in(text)] == ["bouckaert2004evaluating", "holm1979simple"]
    assert cited_in("(DeLong, DeLong & Clarke-Pearson, 1988)") == [
        bibliography()["DeLong, DeLong & Clarke-Pearson (1988)"]
    ]
    assert cited_in(*bibliography().values()) == list(bibliography().values())
    assert "@misc{foldwise," in bibtex(text)


@pytest.mark.parametrize("short", bibliography())
def test_citations_become_commands(short):
    said = f"the test ({citation(f'{short},')})".replace("&", r"\&")
    assert with_cites(said) == rf"the test~\cite{{{entry_key(bibliography()[short])}}}"


def test_the_table_of_scores_has_bold_winners_marks_and_all_zeros(many):
    table = score_table_latex(many)
    assert all(
        part in table for part in (r"\label{tab:scores}", r"\centering", r"\toprule", r"\bottomrule", r"svm \& co")
    )
    rows = [line.strip() for line in table.splitlines() if line.strip().startswith("set ")]
    assert len(rows) == 12
    for i, row in enumerate(rows):
        cells = row.removesuffix(r" \\").split(" & ")[1:]
        numbers = [float(re.sub(r"[^\d.]", "", cell)) for cell in cells]
        assert numbers == [round(SCORES[name][f"set {i}"], 4) for name in SHIFTS]
        assert [r"\textbf" in cell for cell in cells] == [number == max(numbers) for number in numbers]
        assert {len(re.search(r"\.(\d+)", cell)[1]) for cell in cells} == {4}
    ranks = next(line for line in table.splitlines() if "mean rank" in line)
    worse = {pair.b if pair.better == pair.a else pair.a for pair in many.pairs if pair.better == many.ranking[0]}
    assert ranks.count("bullet") == len(worse)


def test_the_diagram_has_every_learner_at_its_rank(many):
    drawn = critical_difference_tikz(many)
    assert r"\begin{tikzpicture}" in drawn
    assert drawn.count("{") == drawn.count("}")
    last = float(np.ceil(many.mean_ranks.max()))
    axis = float(re.search(r"\\draw \(0,0\) -- \(([\d.]+),0\)", drawn)[1])
    for name, rank in zip(many.learners, many.mean_ranks, strict=True):
        said = name.replace("_", r"\_").replace("&", r"\&")
        (line,) = [line for line in drawn.splitlines() if f"{said}\\enspace" in line or f"\\enspace {said}}}" in line]
        x = float(re.search(r"\\draw \(([\d.]+),0\)", line)[1])
        assert x == pytest.approx(axis * (rank - 1) / (last - 1), abs=1e-3)
    assert drawn.count("line width=2pt") == len(many.tie_groups)
    assert "CD = " in critical_difference_tikz(
        fw.compare_table(pd.DataFrame(SCORES), metric="accuracy", test="nemenyi")
    )


# Computer Modern's own widths (the file cmr10.tfm), in points at ten points
CMR10 = dict(zip("abcdefghijklmnopqrstuvwxyz", (5, 5.56, 4.44, 5.56, 4.44, 3.06, 5, 5.56, 2.78, 3.06, 5.28, 2.78, 8.33,
    5.56, 5, 5.56, 5.28, 3.92, 3.94, 3.89, 5.56, 5.28, 7.22, 5.28, 5.28, 4.44), strict=True),
    **dict.fromkeys("0123456789", 5.0), **{" ": 3.33, ".": 2.78})  # fmt: skip


def tikz_width(drawn):
    """Points from the left end of the names on the left to the right end of those on the right."""
    ends = []
    for x, side, label in re.findall(r"\|- \((-?[\d.]+),[^)]*\) node\[(left|right)\] \{(.*)\};", drawn):
        length = 0.9 * (sum(CMR10[letter] for letter in label.replace(r"\enspace", "")) + 5 - 3.33)
        reach = float(x) * 72.27 / 2.54 + (1 if side == "right" else -1) * (length + 2 * 3.0)  # 3 pt: TikZ's inner sep
        ends.append(reach)
    return max(ends) - min(ends)


@pytest.mark.parametrize("width", [229.0, 345.0])
@pytest.mark.parametrize("names", [("nb", "tree", "svm", "knn"), ("naive bayes", "decision tree", "svm", "logreg l2")])
def test_the_diagram_fits_into_a_column(names, width):
    table = pd.DataFrame(dict(zip(names, SCORES.values(), strict=True)))
    drawn = critical_difference_tikz(fw.compare_table(table, options=fw.Options(bayes="none")), width=width)
    assert 0.75 * min(width, 229) < tikz_width(drawn) <= width


def test_what_is_too_wide_for_a_column_is_shrunk_to_it_and_nothing_else():
    long = {f"a learner with a very long name, {i}": column for i, column in enumerate(SCORES.values())}
    kit = paper_contents(fw.compare_table(pd.DataFrame(long), options=fw.Options(bayes="none")))
    shrunk = r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi"
    texts = [name for name in kit if name.endswith(".tex") and name not in ("methods.tex", "paper.tex")]
    assert len(texts) == 4
    assert all(kit[name].count(shrunk) == 1 for name in texts)
    assert kit["scores.tex"].count(r"\rotatebox{90}") == 4  # heads that would be wider than a page side by side
    assert "rotatebox" not in score_table_latex(
        fw.compare_table(pd.DataFrame(SCORES), options=fw.Options(bayes="none"))
    )


def test_a_single_line_of_many_numbers_stands_upright(two):
    lines = [line.strip() for line in two.to_latex().splitlines()]
    assert r"comparison & x vs y\_1 \\" in lines
    assert any(line.startswith(r"95\,\% CI & ") for line in lines)
    assert r"\begin{tabular}{lr}" in lines


def test_the_document_says_what_is_to_be_seen(many):
    document = paper_contents(many)["paper.tex"]
    figures = re.findall(r"\\begin\{figure\}.*?\\end\{figure\}", document, flags=re.DOTALL)
    assert all(r"\caption{" in figure and r"\label{fig:" in figure for figure in figures)
    assert sum(r"\input{ranks.tex}" in figure for figure in figures) == 1
    assert "ranks.pdf" not in document  # once is enough


def test_shades_of_the_diagram_are_explained_where_there_is_a_control():
    c = fw.compare_table(pd.DataFrame(SCORES), options=fw.Options(bayes="none", control="nb_1"))
    drawn = critical_difference_tikz(c)
    grey = re.findall(r"\\draw\[gray\].*", drawn)
    same = [pair.b for pair in c.pairs if pair.better is None]
    assert len(grey) == len(same)
    assert all(any(name.replace("&", r"\&") in line for line in grey) for name in same)
    assert r"\textbf{nb\_1}" in drawn
    assert r"gray: not shown to differ from nb\_1" in drawn


def test_the_kit_is_a_folder(two, many, tmp_path):
    files = {path.name: path for path in two.paper(tmp_path / "kit")}
    assert {"methods.tex", "references.bib", "table.tex", "differences.svg", "differences.pdf"} <= set(files)
    keys = set(re.findall(r"\\cite\{(\w+)\}", files["methods.tex"].read_text()))
    assert keys == set(re.findall(r"^@\w+\{(\w+),", two.bibtex(), flags=re.MULTILINE))
    assert files["references.bib"].read_text() == two.bibtex()
    assert files["differences.pdf"].read_bytes().startswith(b"%PDF")
    assert r"y\_1" in files["table.tex"].read_text()
    assert "demsar2006statistical" in many.bibtex()


def test_each_learner_has_its_effect_and_interval(many):
    effects = {effect.name: effect for effect in many.effects()}
    best = many.ranking[0]
    assert effects.keys() == set(SHIFTS) - {best}
    for name, effect in effects.items():
        x = np.array(list(SCORES[name].values())) - np.array(list(SCORES[best].values()))
        pairs = np.sort([(x[i] + x[j]) / 2 for i in range(12) for j in range(i, 12)])
        assert effect.difference == pytest.approx(np.median(pairs))
        assert effect.interval.low <= effect.difference <= effect.interval.high
        signed = np.sign(x) * stats.rankdata(abs(x))
        assert effect.effect == pytest.approx(signed.sum() / 78)
    turned = {name: {k: 1 - v for k, v in column.items()} for name, column in SCORES.items()}
    losses = fw.compare_table(pd.DataFrame(turned), metric="error", options=fw.Options(bayes="none")).effects()
    for loss in losses:  # errors: the differences turn round, who is better does not
        assert loss.difference == pytest.approx(-effects[loss.name].difference)
        assert loss.interval.low == pytest.approx(-effects[loss.name].interval.high)
        assert loss.effect == pytest.approx(effects[loss.name].effect)
    with pytest.raises(UnknownName, match="unknown against 'x'"):
        many.effects("x")


@pytest.mark.parametrize(("control", "family"), [(None, 6), ("nb_1", 3)])
def test_intervals_of_effects_leave_out_zero_where_the_adjusted_test_rejects(control, family):
    """Who is best was seen in the scores, so that all pairs were candidates; a control was there before them."""
    seen = set()
    for seed in range(40):
        scores = np.random.default_rng(seed).normal([0, 0.008, 0.014, 0.018], 0.02, (12, 4))
        c = fw.compare_table(
            pd.DataFrame(scores, columns=list(SCORES)), options=fw.Options(bayes="none", control=control)
        )
        raw = {frozenset((pair.a, pair.b)): pair.pvalue for pair in c.pairs}
        for effect in c.effects():
            apart = not effect.interval.low <= 0 <= effect.interval.high
            assert apart == (raw[frozenset((effect.name, effect.against))] * family <= 0.05)
            seen.add(apart)
    assert seen == {True, False}


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("columns", ["onecolumn", "twocolumn"])
def test_latex_and_bibtex_take_the_whole_kit(columns, tmp_path):
    few = {name: dict(list(column.items())[:6]) for name, column in SCORES.items()}
    few['a "b" <c> $x_1^2$'] = {key: value + 0.01 for key, value in few["nb_1"].items()}
    for name, content in paper_contents(
        fw.compare_table(pd.DataFrame(few), test="nemenyi", options=fw.Options(bayes="none"))
    ).items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    document = (tmp_path / "paper.tex").read_text().replace("{article}", f"[{columns}]{{article}}")
    (tmp_path / "paper.tex").write_text(document)
    for command in (["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"], ["bibtex", "paper"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=120)
        assert done.returncode == 0, done.stdout[-2000:]
        assert "Warning--" not in done.stdout
        assert "Overfull" not in done.stdout
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF")


KITS = (
    "Comparison", "Comparison: data sets", "Comparison: data sets by metrics", "Comparison: metrics",
    "Comparison: models", "Comparison: models by metrics", "ErrorEstimate", "EstimateSurvey", "Frontier", "Gate",
    "IntervalSurvey", "Judgement", "Leaderboard", "RateComparison", "Watch", "votes",
)  # fmt: skip


def what_latex_says_of_kits(folder):
    """What LaTeX says of each kit, and what BibTeX says: all in one document, so that they start once."""
    votes = [{"model_a": "a", "model_b": "b", "winner": ("a", "b", "tie")[i % 7 % 3]} for i in range(50)]
    picture = _pdf(Figure(figsize=(1, 1)))
    body, entries, preamble = [], {}, ""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("foldwise.render.paper.alone", lambda drawing: None)
        patched.setattr("foldwise.render.paper.figure_file", lambda figure, name: "")
        patched.setattr("foldwise.render.paper._pdf", lambda figure: picture)
        for name in KITS:
            place = folder / name.replace(" ", "").replace(":", "-")
            place.mkdir()
            result = fw.compare_votes(votes) if name == "votes" else MAKERS[name]()
            for file, content in paper_contents(result).items():
                (place / file).write_bytes(content if isinstance(content, bytes) else content.encode())
            preamble, _, own = (place / "paper.tex").read_text().partition(r"\begin{document}")
            parts = r"(\\input|\\includegraphics\[[^]]*\])\{"
            own = re.sub(parts, rf"\g<0>{place.name}/", own.partition(r"\nocite{*}")[0])
            body += [rf"\typeout{{KIT {name}}}", re.sub(r"\\label\{[^}]*\}", "", own), r"\clearpage"]
            found = re.split(r"^(?=@)", (place / "references.bib").read_text(), flags=re.MULTILINE)
            entries |= {entry.partition(",")[0]: entry for entry in found if entry.startswith("@")}
    (folder / "references.bib").write_text("".join(entries.values()))
    ending = [r"\nocite{*}", r"\bibliographystyle{plain}", r"\bibliography{references}", r"\end{document}"]
    (folder / "paper.tex").write_text("\n".join([preamble + r"\begin{document}", *body, *ending]))
    said = []
    for command in (["pdflatex", "-interaction=nonstopmode", "-draftmode", "paper.tex"], ["bibtex", "paper"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=300)
        said.append(done.stdout)
    return dict(part.split("\n", 1) for part in said[0].split("KIT ")[1:]), said[1]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_takes_the_kit_of_every_kind_of_answer(tmp_path):
    said, cited = what_latex_says_of_kits(tmp_path)
    assert set(said) == set(KITS)
    wrong = r"^(! .*|.*Overfull.*|.*Missing character.*|LaTeX Warning: File .* not found.*)$"
    found = {name: re.findall(wrong, text, flags=re.MULTILINE) for name, text in said.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}
    assert "Warning--" not in cited


def test_the_archive_holds_the_kit(two):
    with zipfile.ZipFile(io.BytesIO(paper_zip(two))) as archive:
        assert {"methods.tex", "paper.tex", "differences.pdf"} <= set(archive.namelist())
        assert archive.read("references.bib").decode() == two.bibtex()


def test_what_has_no_methods_has_no_kit(tmp_path):
    with pytest.raises(InvalidInput, match="nothing to write into a paper"):
        fw.advise().paper(tmp_path / "kit")


def test_a_file_is_no_folder(two, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidInput, match="the paper kit must go to a folder"):
        two.paper(tmp_path / "file")


def test_on_the_command_line(tmp_path, capsys):
    from foldwise.cli.main import main

    source = tmp_path / "table.csv"
    names = list(SCORES)
    lines = [",".join([f"set {i}", *(f"{SCORES[n][f'set {i}']}" for n in names)]) for i in range(12)]
    source.write_text("\n".join([",".join(["data set", *names]), *lines]))
    main(["table", str(source), "--metric", "accuracy", "--kit", str(tmp_path / "kit")])
    assert (tmp_path / "kit" / "scores.tex").read_text().startswith(r"\begin{table}")
    assert (tmp_path / "kit" / "ranks.tex").exists()
    capsys.readouterr()


def test_every_procedure_that_was_used_is_cited_in_words_and_in_the_bibliography(many):
    for how, key in (("holm", "holm1979simple"), ("hommel", "hommel1988stagewise"), ("bh", "benjamini1995controlling")):
        c = fw.compare_table(pd.DataFrame(SCORES), metric="accuracy", options=fw.Options(adjust=how))
        files = paper_contents(c)
        assert rf"\cite{{{key}}}" in files["methods.tex"]
        assert r"omnibus test~\cite{iman1980approximations}" in files["methods.tex"]
        keys = set(re.findall(r"@\w+\{(\w+),", files["references.bib"]))
        assert {key, "iman1980approximations", "demsar2006statistical"} <= keys
        assert {
            one for names in re.findall(r"\\cite\{([^}]*)\}", files["methods.tex"]) for one in names.split(",")
        } <= keys
    unadjusted = fw.compare_table(pd.DataFrame(SCORES), metric="accuracy", options=fw.Options(adjust="none")).methods()
    assert "not adjusted, 6 comparisons at level" in unadjusted


def test_several_sources_in_one_bracket_become_one_command():
    marks = {name: RNG.random(60) < 0.7 for name in "abc"}
    files = paper_contents(fw.compare_predictions(None, marks, metric="accuracy", options=fw.Options(adjust="max_t")))
    assert r"3 comparisons~\cite{westfall1993resampling,hothorn2008simultaneous} at level" in files["methods.tex"]


def test_several_metrics_of_two_models_cite_holm():
    truth, scores = np.arange(60) % 3 > 1, np.arange(60) / 60
    c = fw.compare_predictions(truth, {"a": scores, "b": (scores * 7) % 1}, metric=["f1", "roc_auc"])
    assert "Holm's method (Holm, 1979)" in c.methods()
    assert "@article{holm1979simple," in c.bibtex()


MARKS = {name: (np.arange(60) % k > 0).astype(int) for name, k in (("a", 3), ("b", 4), ("c", 5))}
CLUSTERED = [f"c{i // 3}" for i in range(60)]
SPENT = pd.concat(
    pd.DataFrame({"model": name, "item": range(60), "score": marks, "cost": 1 + np.arange(60) % (3 + k)})
    for k, (name, marks) in enumerate(MARKS.items())
)


@pytest.mark.parametrize(
    ("make", "keys"),
    [
        (lambda: fw.estimate_predictions(None, MARKS["a"], metric="accuracy"), {"brown2001interval"}),
        (lambda: fw.estimate_predictions(None, MARKS["a"], metric="accuracy", groups=CLUSTERED), {"bell2002bias"}),
        (
            lambda: fw.estimate_predictions(
                MARKS["a"], MARKS["b"], metric=["accuracy", "f1"], bar={"accuracy": 0.2, "f1": 0.2}
            ),
            {"brown2001interval", "efron1981jackknife", "berger1982multiparameter"},
        ),
        (
            lambda: fw.estimate_error("majority", np.arange(60).reshape(30, 2), MARKS["a"][:30], random_state=0),
            {"martin1996small", "brown2001interval"},
        ),
        (
            lambda: fw.estimate_error(
                "majority", np.arange(60).reshape(30, 2), MARKS["a"][:30], method="bootstrap632plus", random_state=0
            ),
            {"efron1997improvements"},
        ),
        (lambda: fw.leaderboard(SPENT[["model", "item", "score"]]), {
            "fagerland2013mcnemar", "holm1979simple", "brown2001interval", "almohamad2022simultaneous",
        }),
        (lambda: fw.frontier(SPENT), {"hothorn2008simultaneous"}),
        (lambda: interval_survey(3, 50), {"brown2001interval"}),
        (lambda: interval_survey(3, 50, method="wilson"), {"wilson1927probable"}),
        (lambda: compare_rates([(3, 50), (7, 60)]), {"martin1996small"}),
        (lambda: compare_rates([(3, 50), (7, 60), (9, 60)]), {"martin1996small", "holm1979simple"}),
    ],
)  # fmt: skip
def test_answers_that_are_no_comparison_cite_what_they_use(make, keys):
    files = paper_contents(make())
    said = {one for names in re.findall(r"\\cite\{([^}]*)\}", files["methods.tex"]) for one in names.split(",")}
    assert keys <= said
    assert said <= set(re.findall(r"@\w+\{(\w+),", files["references.bib"]))


def test_the_table_of_two_models_has_their_names(two):
    table = paper_contents(two)["table.tex"]
    assert "x vs y\\_1" in table
    assert "P(x better)" in table
    assert " a " not in table


@pytest.mark.parametrize(
    "make", ["Comparison: data sets by metrics", "Comparison: models by metrics", "Comparison: metrics"]
)
def test_no_sentence_stands_twice_in_the_kit(make):
    contents = paper_contents(MAKERS[make]())
    captions = re.findall(r"\\caption\{(.*)\}$", contents["paper.tex"], re.M)
    words = " ".join([contents["methods.tex"], *captions])
    said = [one for one in re.split(r"(?<=[.!?])\s+", words) if one and "To be read as Figure" not in one]
    assert len(said) == len(set(said)), [one for one in said if said.count(one) > 1]
    labels = set(re.findall(r"\\label\{(.*)\}", contents["paper.tex"]))
    assert set(re.findall(r"\\ref\{(.*?)\}", contents["paper.tex"])) <= labels
