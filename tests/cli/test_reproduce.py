from __future__ import annotations

import dataclasses
import json

import pytest

from foldwise.core.errors import DataNotFound
from foldwise.core.process import made_by
from foldwise.lab.papers import Study
from foldwise.lab.studies import all_studies, find_studies


def test_listing_has_every_study_with_state_and_time(run):
    code, out, _ = run("reproduce")
    assert code == 0
    for study in all_studies():
        assert study.key in out
    assert "ready" in out


def test_listing_as_json(run):
    rows = json.loads(run("reproduce", "--json")[1])["studies"]
    assert {row["key"] for row in rows} == {study.key for study in all_studies()}
    assert all(row["quick_seconds"] > 0 and row["full_seconds"] > 0 for row in rows)


def test_a_study_prints_the_papers_values_beside_ours(run):
    code, out, err = run("reproduce", "bouckaertfrank2004/table1-summaries")
    assert (code, err) == (0, "")
    assert "0.737" in out
    assert "agree" in out


def test_json_has_rows_and_verdicts(run):
    (study,) = json.loads(run("reproduce", "martinhirschberg1996/table5", "--json")[1])["studies"]
    assert study["verdicts"]["agree"] > 20
    assert {"label", "printed", "ours", "low", "high", "verdict", "difference", "note"} <= set(study["rows"][0])


def test_out_saves_page_figures_and_raw_results(run, tmp_path):
    assert run("reproduce", "martinhirschberg1996/figure4", "--out", str(tmp_path))[0] == 0
    page = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    assert "| approximate Beta: largest deviation | 0.017 |" in page
    assert "reproduction/martinhirschberg1996-figure4-limits.svg" in page
    assert (tmp_path / "reproduction" / "martinhirschberg1996-figure4-limits.svg").read_text().startswith("<?xml")
    raw = json.loads((tmp_path / "reproduction" / "martinhirschberg1996-figure4.json").read_text())
    assert raw["seed"] == 0


def test_the_page_has_what_earlier_calls_saved_and_names_what_is_left_out(run, tmp_path):
    keys = ("martinhirschberg1996/figure4", "bouckaert2003/figure1")
    for key in keys:
        assert run("reproduce", key, "--out", str(tmp_path))[0] == 0
    page = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    assert page.index(f"[{keys[1]}]") < page.index(f"[{keys[0]}]")  # in the order of the papers
    assert "seed 0: 2 studies in " in page
    assert "Not yet run (`foldwise reproduce KEY`): dietterich1998/section3.4" in page


def test_a_page_of_two_commits_says_so_and_names_them(run, tmp_path):
    file = tmp_path / "reproduction" / "martinhirschberg1996-figure4.json"
    assert run("reproduce", "martinhirschberg1996/figure4", "--out", str(tmp_path))[0] == 0
    page = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    assert f"One commit: {made_by()}, 20" in page
    file.write_text(json.dumps(json.loads(file.read_text()) | {"made_by": "foldwise 0, commit 1234567"}))
    assert run("reproduce", "bouckaert2003/figure1", "--out", str(tmp_path))[0] == 0
    page = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    assert f"**Not one run**: 1 by {made_by()}; 1 by foldwise 0, commit 1234567, 20" in page
    assert "| 1234567 |" in page
    assert "\nMade by foldwise 0, commit 1234567, 20" in page
    assert f"\nMade by {made_by()}, 20" in page


def test_saved_results_are_read_back_whole(run, tmp_path):
    from foldwise.lab.papers import StudyResult

    key = "martinhirschberg1996/figure4"
    assert run("reproduce", key, "--out", str(tmp_path))[0] == 0
    saved = json.loads((tmp_path / "reproduction" / "martinhirschberg1996-figure4.json").read_text())
    assert json.loads(json.dumps(StudyResult.from_dict(saved).to_dict())) == saved


@pytest.mark.parametrize(("change", "kept"), [({}, True), ({"seed": 1}, False), ({"raw": {"other": 1}}, False)])
def test_a_repeat_of_the_same_numbers_keeps_the_time_they_took(run, tmp_path, change, kept):
    key, file = "martinhirschberg1996/figure4", tmp_path / "reproduction" / "martinhirschberg1996-figure4.json"
    assert run("reproduce", key, "--out", str(tmp_path))[0] == 0
    saved = json.loads(file.read_text())
    file.write_text(json.dumps(saved | {"seconds": 1234.5} | change))
    assert run("reproduce", key, "--out", str(tmp_path))[0] == 0
    assert (json.loads(file.read_text())["seconds"] == 1234.5) is kept


def test_many_raw_results_are_kept_as_their_digest(run, tmp_path):
    from foldwise.lab.papers.study import StudyResult
    from foldwise.render.reproduction import save_study

    folder = tmp_path / "reproduction"
    file = folder / "martinhirschberg1996-table5.json"
    assert run("reproduce", "martinhirschberg1996/table5", "--out", str(tmp_path))[0] == 0
    raw = {"trials": [i / 7 for i in range(10_000)]}
    found = StudyResult.from_dict(json.loads(file.read_text()) | {"raw": raw, "seconds": 1234.5})
    save_study(found, folder)
    saved = json.loads(file.read_text())
    assert saved["raw"]["bytes"] == len(json.dumps(raw))
    assert len(saved["raw"]["sha256"]) == 64
    save_study(dataclasses.replace(found, seconds=1.0), folder)  # the same numbers again, out of a store
    assert json.loads(file.read_text()) == saved
    raw["trials"][-1] += 1
    save_study(dataclasses.replace(found, seconds=1.0), folder)
    assert json.loads(file.read_text())["raw"] != saved["raw"]
    assert json.loads(file.read_text())["seconds"] == 1.0


def test_results_of_another_version_are_refused(run, tmp_path):
    (tmp_path / "reproduction").mkdir()
    (tmp_path / "reproduction" / "old.json").write_text('{"key": "old/table", "rows": []}')
    code, _, err = run("reproduce", "martinhirschberg1996/table5", "--out", str(tmp_path))
    assert code == 2
    assert "saved results of old/table were not written by this version" in err


def test_html_page_has_the_figure_inline(run, tmp_path):
    page = tmp_path / "page.html"
    assert run("reproduce", "martinhirschberg1996/figure2", "--html", str(page))[0] == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<figure") == text.count("<svg") > 0
    assert text.count("<h1") == 1
    assert "prefers-color-scheme: dark" in text


def test_unknown_key_is_one_sentence(run):
    code, _, err = run("reproduce", "dietterich1999")
    assert code == 2
    assert "did you mean 'dietterich1998'" in err
    assert err.count(" all,") == 1
    assert "Traceback" not in err


def test_a_missing_data_set_is_one_line_and_the_rest_goes_on(run, monkeypatch):
    def needs(task):
        raise DataNotFound("data set 'letter' is not in 'x'")

    absent = Study(key="x/absent", title="t", reference="r", compute=needs, data=("letter",), seconds=(1, 1))
    present = find_studies("bouckaert2003/figure1")[0]
    monkeypatch.setattr("foldwise.lab.studies.find_studies", lambda key: (absent, present))
    code, out, err = run("reproduce", "all")
    assert code == 0
    assert err == "foldwise: x/absent left out: data set 'letter' is not in 'x'\n"
    assert "bouckaert2003/figure1" in out


@pytest.mark.parametrize("scale", ["smoke", "huge"])
def test_scales_for_users_are_quick_and_full(run, scale):
    code, _, err = run("reproduce", "bouckaert2003/figure1", "--scale", scale)
    assert code == 2
    assert "'quick', 'full'" in err
