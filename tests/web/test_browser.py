"""The page in a real Chromium: what a person does with mouse, keyboard, a phone, or without scripts."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from report.markup import Markup

import foldwise as fw
from foldwise.web.door_pages import example_text

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# a container has neither a sandbox nor a graphics card; nothing may leave the machine
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 180_000  # milliseconds; a loaded machine is slow, not wrong
PAGES = ["/", "/predictions", "/scores?example=1", "/table?example=1", "/interval?example=1", "/advise", "/plan", "/no"]
LOGS = Path(__file__).parents[2] / "examples" / "lm_eval_logs.zip"
DOORS = ["predictions", "watch", "scores", "table", "interval"]
SCHEMES = ("light", "dark")


def without_browser(reason):
    """Skip; where the browser is promised, as in continuous integration, fail."""
    if os.environ.get("FOLDWISE_BROWSER") == "required":
        pytest.fail(f"FOLDWISE_BROWSER=required, but {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The page, served by a process of its own; what it logged must hold no traceback."""
    log = tmp_path_factory.mktemp("serve") / "log.txt"
    command = [sys.executable, "-m", "foldwise", "serve", "--no-open", "--port", "0", "--max-upload", "1"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
    with log.open("w") as errors:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            yield re.search(r"http://[^/\s]+", process.stdout.readline())[0]
        finally:
            process.kill()
            process.communicate()
    assert log.read_text() == ""


@pytest.fixture(scope="module")
def browser():
    """One Chromium for all tests of this file; module-wide, because its event loop would disturb other tests' loops."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        without_browser("the package playwright is not installed")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        without_browser("no Chromium was found: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture
def visit(browser, address):
    """Open pages in a fresh window; an error on the console fails the test unless it says so."""

    @contextmanager
    def window(*, errors_expected=False, **options):
        context = browser.new_context(base_url=address, **options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        complaints = []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.append(request.url) if address not in request.url else None)
        try:
            yield page
            seen = list(complaints)  # what is under way when the window closes complains of that
        finally:
            context.close()
        assert errors_expected or seen == []

    return window


def drop(page, name, text):
    """Drop a file on the page as a file manager does."""
    transfer = page.evaluate_handle(
        """([name, text]) => { const all = new DataTransfer();
            all.items.add(new File([text], name, {type: "text/csv"})); return all; }""",
        [name, text],
    )
    page.dispatch_event("#data", "dragover", {"dataTransfer": transfer})
    assert "over" in page.get_attribute("#data", "class")
    page.dispatch_event("#data", "drop", {"dataTransfer": transfer})


def verdict(page):
    return page.inner_text("#answer .verdict .answer")


def focused(page, what):
    return page.evaluate(f"document.activeElement.{what}")


def wait_for(page, selector):
    """What is to be expected of an element, sooner or later."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    return expect(page.locator(selector))


def press_until(page, key, wanted, most=80):
    """Press a key until the element in focus is the wanted one."""
    for _ in range(most):
        page.keyboard.press(key)
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
    pytest.fail(f"{wanted} can't be reached with {key}")


def test_drop_a_file_read_the_verdict_and_follow_the_download(visit):
    with visit() as page:
        page.goto("/predictions")
        drop(page, "mine.csv", example_text("predictions.csv"))
        page.wait_for_selector("#understood")
        assert page.inner_text("#data-title") == "Your data: mine.csv"
        assert "naive bayes is right on" in page.inner_text("#understood .facts")
        wait_for(page, "#understood-title").to_be_focused()
        page.click("#answer-button")
        assert verdict(page) == "No difference is shown."
        wait_for(page, "#answer").to_be_focused()
        assert "foldwise predictions mine.csv" in page.inner_text("#answer")
        with page.expect_download() as coming:
            page.click("text=Download the report")
        kept = coming.value
        assert kept.suggested_filename == "mine-report.html"
        report = Markup(kept.path().read_text(encoding="utf-8"))
        assert "No difference is shown." in report.text
        assert verdict(page) == "No difference is shown."  # the page is still there
        with page.expect_download() as coming:
            page.click("text=Download JSON")
        assert json.loads(coming.value.path().read_text(encoding="utf-8"))["better"] is None


def test_the_downloaded_report_opens_without_the_page(visit, browser, tmp_path):
    with visit() as page:
        page.goto("/interval?example=1")
        page.click("#answer-button")
        page.wait_for_selector("#answer .verdict")
        with page.expect_download() as coming:
            page.click("text=Download the report")
        coming.value.save_as(tmp_path / "report.html")
    context = browser.new_context(offline=True, java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto((tmp_path / "report.html").as_uri())
        assert "between 1.7 % and 15.2 %" in page.inner_text(".verdict")
        assert page.locator("svg").count() == 1
    finally:
        context.close()


def test_the_tabs_of_a_notebook_need_neither_script_nor_network(browser):
    b = np.random.default_rng(0).normal(0.8, 0.02, (3, 5))
    result = fw.compare_scores({"a": b + 0.05, "b": b}, n_train=80, n_test=20)._repr_html_()
    context = browser.new_context(offline=True, java_script_enabled=False)
    try:
        page = context.new_page()
        page.set_content(result + result)  # two cells, whose tabs know nothing of each other
        first, second = page.locator("form").all()
        seen = {name: first.locator(f".panel-{name}") for name in ("answer", "plots", "details", "methods")}
        assert [name for name, panel in seen.items() if panel.is_visible()] == ["answer"]
        first.locator("label", has_text="Plots").click()
        page.keyboard.press("ArrowRight")
        assert [name for name, panel in seen.items() if panel.is_visible()] == ["details"]
        assert second.locator(".panel-answer").is_visible()
        for scheme, paper in (("light", "#fff"), ("dark", "#111")):
            ink = "#111" if paper == "#fff" else "#eee"  # a notebook's theme is its own, whatever the system's is
            page.set_content(f"<body style='background: {paper}; color: {ink}'>{result}")
            assert min(page.evaluate(CONTRAST, "form p, form label, form summary, form td")) >= 4.5, scheme
    finally:
        context.close()


def test_the_first_click_on_compare_counts_after_a_field_was_edited(visit):
    with visit() as page:
        page.goto("/predictions")
        page.fill("#text", "x,y,z\n" + "a,a,b\n" * 20)
        page.click("#look")
        page.wait_for_selector("#understood")
        page.focus("#f-truth")
        for _ in range(2):  # past "none"
            page.keyboard.press("ArrowDown")  # the change is told when the field is left, by pressing the button
        box = page.locator("#answer-button").bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 10)
        page.mouse.down()
        page.wait_for_timeout(500)  # somebody who presses slowly
        page.mouse.up()
        assert verdict(page)


def test_files_and_folders_are_dropped_on_the_first_screen_and_judged(visit):
    with visit() as page:
        page.goto("/")
        page.wait_for_selector("#small .verdict")
        page.fill("#f-n", "4000")
        wait_for(page, "#small .answer").to_have_text("new is better.")
        drop(page, "mine.csv", example_text("scores.csv"))
        assert verdict(page) == "No difference is shown."
        assert page.inner_text(".setup > summary strong") == "mine.csv"
        assert not page.is_visible("#data")
        left, right = (page.locator(f"#answer .top > {part}").bounding_box() for part in (".verdict", "figure"))
        assert left["x"] + left["width"] <= right["x"]  # side by side
        assert right["y"] + right["height"] < 800
        page.click("#answer .verdict .copy")
        wait_for(page, "#answer .verdict .copy").to_have_text("Copied")
        with page.expect_download() as coming:
            page.click('#answer .top button[formaction$="effect.pdf"]')
        assert coming.value.suggested_filename == "mine-effect.pdf"
        page.set_input_files("#file", LOGS)  # another one, without starting again
        wait_for(page, "#answer .verdict .answer").to_have_text("acme/alpha-7b is better.")


@pytest.mark.parametrize(("door", "says"), [("leaderboard", "share the first place"), ("frontier", "frontier")])
def test_a_file_that_is_dropped_at_a_board_is_answered(visit, door, says):
    with visit() as page:
        page.goto(f"/{door}")
        drop(page, "board.csv", (LOGS.parent / "board.csv").read_text(encoding="utf-8"))
        wait_for(page, "#answer .verdict").to_contain_text(says)


def test_a_real_folder_is_dropped_with_the_folders_in_it(visit, tmp_path):
    with zipfile.ZipFile(LOGS) as archive:
        archive.extractall(tmp_path / "logs")
    with visit() as page:
        page.goto("/")
        page.wait_for_selector("#small .verdict")
        box = page.locator("#data").bounding_box()
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 20}
        files = {"items": [], "files": [str(tmp_path / "logs")], "dragOperationsMask": 1}
        mouse = page.context.new_cdp_session(page)
        for kind in ("dragEnter", "dragOver", "drop"):  # what the browser itself gets from a file manager
            mouse.send("Input.dispatchDragEvent", {"type": kind, **place, "data": files})
        assert verdict(page) == "acme/alpha-7b is better."
        assert page.inner_text(".setup > summary strong") == "logs"


def test_long_titles_leave_room_for_the_downloads(visit):
    with visit() as page:
        page.goto("/")
        page.set_input_files("#file", LOGS)
        page.wait_for_selector("#answer .verdict")
        for width in (960, 1100, 1400):
            page.set_viewport_size({"width": width, "height": 900})
            title = page.evaluate("""() => { const words = document.createRange();
                words.selectNodeContents(document.querySelector("#answer .title"));
                return [...words.getClientRects()].map((line) => [line.right, line.top, line.bottom]); }""")
            buttons = page.locator("#answer .downloads").bounding_box()
            assert title
            below = buttons["y"] + buttons["height"]
            beside = [right for right, top, bottom in title if top < below and bottom > buttons["y"]]
            assert all(right <= buttons["x"] for right in beside), width


def test_what_is_wrong_with_a_file_is_said_once(visit):
    with visit(errors_expected=True) as page:
        page.goto("/")
        page.wait_for_selector("#small .verdict")
        page.set_input_files("#file", {"name": "x.bin", "mimeType": "text/plain", "buffer": b"no table"})
        page.wait_for_selector(".alert")
        assert page.locator(".alert").count() == 1
        assert page.inner_text("#small .answer") == "No difference is shown."


def test_another_column_is_taken_as_soon_as_it_is_chosen(visit):
    with visit() as page:
        page.goto("/predictions")
        page.fill("#text", "x,y,z\n" + "a,a,b\n" * 20)
        page.click("#look")
        page.wait_for_load_state("networkidle")  # quicker than any hand, the choice would come before the page listens
        page.select_option("#f-truth", "z")
        wait_for(page, "#understood .seen .grid").to_contain_text("ztruth")


def test_every_column_has_a_drop_down_of_its_roles(visit):
    rows = [f"q{i},{name},{int(i % 10 < most)}" for i in range(60) for name, most in (("new", 9), ("old", 4))]
    table = "\n".join(["Case No,who,right", *rows]).encode()
    with visit(errors_expected=True) as page:  # nobody can tell what these columns are: 422
        page.goto("/")
        page.set_input_files("#file", {"name": "t.csv", "mimeType": "text/csv", "buffer": table})
        wait_for(page, ".alert").to_be_visible()
        for column, role in (("Case No", "item"), ("right", "score"), ("who", "model")):
            page.get_by_label(f"What {column} is", exact=True).select_option(f"column_{role}")
            wait_for(page, f"#f-column_{role}").to_have_value(column)
            wait_for(page, f"select[aria-label='What {column} is']").to_have_value(f"column_{role}")
            wait_for(page, ".working.htmx-request").to_have_count(0)
        wait_for(page, ".alert").to_have_count(0)
        page.click("#answer-button")
        wait_for(page, "#answer .verdict").to_be_visible()
        assert verdict(page).startswith("new is better")
        page.click("details.setup > summary")
        assert page.get_by_label("What who is", exact=True).input_value() == "column_model"


def test_the_answer_follows_the_options(visit):
    with visit(errors_expected=True) as page:  # a margin that is none
        page.goto("/predictions?example=1")
        page.click("#answer-button")
        wait_for(page, "#answer").to_be_focused()
        slider = page.locator('input[type="range"][data-for="f-margin"]')
        width = slider.bounding_box()["width"]
        slider.click(position={"x": width / 2, "y": 10})
        wait_for(page, "#answer").to_contain_text("equivalent to tree: they differ by less than 5 points")
        wait_for(page, "#answer").to_contain_text("--margin=5pt")
        assert page.input_value("#f-margin") == "5pt"
        assert focused(page, "dataset.for") == "f-margin"  # the answer came without taking the focus
        page.keyboard.press("ArrowRight")
        wait_for(page, "#answer").to_contain_text("--margin=5.5pt")
        page.fill("#f-margin", "nonsense")
        wait_for(page, "#answer .alert").to_have_text(
            "Margin must be a number, or points such as '1pt', got 'nonsense'."
        )
        page.fill("#f-margin", "")
        wait_for(page, "#answer").not_to_contain_text("--margin")
        page.click("text=More on how to judge")
        page.select_option("#f-test", "mcnemar_exact")
        wait_for(page, "#answer").to_contain_text("--test=mcnemar_exact")
        assert page.locator(".live details[open]").count() == 1
        page.click(".setup > summary")
        page.select_option("#f-truth", "tree")
        wait_for(page, "#answer").to_contain_text("--truth=tree")  # another role, the same answer button
        wait_for(page, ".setup[open]").to_have_count(1)
        assert page.input_value("#f-test") == "mcnemar_exact"


def test_move_a_slider_with_the_mouse(visit):
    with visit() as page:
        page.goto("/plan")
        before = verdict(page)
        assert before.startswith("305 test examples")
        slider = page.locator('input[type="range"][data-for="f-power"]')
        box = slider.bounding_box()
        slider.click(position={"x": 0.9 * box["width"], "y": box["height"] / 2})
        wait_for(page, "#answer .answer").not_to_have_text(before)
        power = float(page.input_value("#f-power"))
        assert 0.9 < power < 0.98
        assert int(verdict(page).split()[0].replace(",", "")) > 305
        assert f"power={power:g}" in page.url
        page.reload()
        assert float(page.input_value("#f-power")) == power


def test_move_a_slider_with_the_keyboard_and_type_a_number(visit):
    with visit() as page:
        page.goto("/advise")
        page.focus('input[type="range"][data-for="f-runs_affordable"]')
        page.keyboard.press("ArrowLeft")
        wait_for(page, "#answer").to_contain_text("--runs 9")
        assert page.input_value("#f-runs_affordable") == "9"
        assert focused(page, "type") == "range"  # the answer came without taking the focus
        page.fill("#f-runs_affordable", "1")
        wait_for(page, "#answer").to_contain_text("five_by_two_cv_f")
        assert page.input_value('input[type="range"][data-for="f-runs_affordable"]') == "0"


def test_every_key_press_moves_a_slider(visit):
    with visit() as page:
        page.goto("/advise?n=12")
        page.focus('input[type="range"][data-for="f-n"]')
        values = []
        for _ in range(4):
            page.keyboard.press("ArrowRight")
            values.append(page.input_value("#f-n"))
        assert values == ["13", "14", "15", "16"]  # one thousandth of the slider would be less than one example
        page.fill("#f-n", "5000")
        page.focus('input[type="range"][data-for="f-n"]')
        page.keyboard.press("ArrowLeft")
        assert 4900 < int(page.input_value("#f-n")) < 5000


def test_a_slider_that_leads_nowhere_says_so_and_goes_on(visit):
    with visit() as page:
        page.goto("/plan")
        page.fill("#f-difference", "0.3")
        page.wait_for_selector("#answer .alert")
        assert page.inner_text("#answer .alert") == "Difference must be at most 0.1 for this design, got 0.3."
        page.fill("#f-discordance", "0.5")
        page.wait_for_selector("#answer .verdict")


def test_only_the_sliders_that_matter_are_shown(visit):
    with visit() as page:
        page.goto("/plan")
        shown = {"difference", "power", "discordance", "alpha"}
        sliders = {"difference", "power", "size", "discordance", "rate", "sigma", "folds", "alpha"}
        assert {name for name in sliders if page.is_visible(f"#f-{name}")} == shown
        page.check('[name="test"][value="corrected_repeated_cv_t"]')
        page.check('[name="find"][value="difference"]')
        shown = {"power", "size", "sigma", "folds", "alpha"}
        assert {name for name in sliders if page.is_visible(f"#f-{name}")} == shown


def test_everything_can_be_done_with_the_keyboard_alone(visit):
    with visit() as page:
        page.goto("/")
        page.keyboard.press("Tab")
        assert focused(page, "className") == "skip"
        page.keyboard.press("Enter")
        press_until(page, "Tab", 'a[href="/scores?example=1"]')
        page.keyboard.press("Enter")
        page.wait_for_url("**/scores?example=1")
        press_until(page, "Tab", "#answer-button")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        page.keyboard.press("Enter")
        assert verdict(page) == "No difference is shown."
        press_until(page, "Tab", 'button[formaction="/scores/report.html"]')
        with page.expect_download() as coming:
            page.keyboard.press("Enter")
        assert coming.value.suggested_filename == "scores-report.html"


def test_every_field_has_a_label(visit):
    with visit() as page:
        for path in PAGES[1:-1]:
            page.goto(path)
            nameless = page.evaluate(
                """[...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
                   .filter(field => !field.labels?.length && !field.ariaLabel).map(field => field.outerHTML)"""
            )
            assert nameless == []


PHONE = {"width": 375, "height": 700}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_a_phone_shows_every_page_without_scrolling_sideways(visit):
    with visit(errors_expected=True, viewport=PHONE) as page:  # one of the addresses leads nowhere
        for path in PAGES:
            page.goto(path)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate(OVERFLOW) <= 0, (path, scheme)


CONTRAST = """selector => {
    const parse = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => { const [x, y, z] = [r, g, b].map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * x + 0.7152 * y + 0.0722 * z; };
    const behind = element => { const colour = parse(getComputedStyle(element).backgroundColor);
        return colour.length === 4 && colour[3] === 0 ? behind(element.parentElement) : colour; };
    return [...document.querySelectorAll(selector)].map(element => {
        const [x, y] = [light(parse(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
        return (x + 0.05) / (y + 0.05); }); }"""


def background(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_text_stands_out_from_its_background(visit):
    words = "h1, h2, h3, p, a, label, button, th, td, legend, summary, small, footer"
    with visit() as page:
        for path in ("/", "/predictions?example=1", "/plan"):
            page.goto(path)
            behind = set()
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                assert min(page.evaluate(CONTRAST, words)) >= 4.5, (path, scheme)  # what WCAG asks of small text
                behind.add(background(page))
            assert len(behind) == 2


LINES = """() => [...document.querySelectorAll("#answer .unbroken")].map(word => {
    const text = document.createRange(); text.selectNodeContents(word);
    return [word.innerText, new Set([...text.getClientRects()].map(line => line.top)).size]; })"""


def test_options_stay_whole_and_are_copied_as_they_are(visit):
    with visit() as page:
        page.goto("/scores?example=1")
        page.click("text=How to judge")
        page.select_option("#f-direction", "lower")
        for field, value in {"n_train": "171", "n_test": "19", "alpha": "0.01", "metric": "x-" + 60 * "y"}.items():
            page.fill(f"#f-{field}", value)
        page.click("#answer-button")
        page.wait_for_selector("#answer .verdict")
        for width in (375, 1200):
            page.set_viewport_size({"width": width, "height": 700})
            lines = dict(page.evaluate(LINES))
            for option in ("--n-train=171", "--n-test=19", "--alpha=0.01", "--lower-is-better"):
                assert lines[option] == 1
            assert (lines[f"--metric=x-{60 * 'y'}"] > 1) == (width == 375)  # what can't fit is broken all the same
        page.evaluate('getSelection().selectAllChildren([...document.querySelectorAll("#answer pre code")].at(-2))')
        page.keyboard.press("Control+c")
        page.click(".setup > summary")
        page.click("text=How to judge")
        page.fill("#f-metric", "")
        page.focus("#f-metric")
        page.keyboard.press("Control+v")
        options = f"--metric=x-{60 * 'y'} --n-train=171 --n-test=19 --lower-is-better --alpha=0.01"
        assert page.input_value("#f-metric") == f"foldwise scores scores.csv {options}"


@pytest.mark.parametrize("door", DOORS)
def test_every_example_is_answered_with_two_clicks_and_can_be_read_everywhere(visit, door):
    fills = CONTRAST.replace("getComputedStyle(element).color", "getComputedStyle(element).fill")
    with visit() as page:
        page.goto("/")
        page.click(f'a[href="/{door}?example=1"]')
        page.click("#answer-button")
        assert verdict(page)
        assert page.locator("#answer svg").count() >= 1
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert min(page.evaluate(fills, "#answer svg text")) >= 3, scheme  # what WCAG asks of graphics
        page.set_viewport_size(PHONE)
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert page.evaluate(OVERFLOW) <= 0


def test_without_scripts_the_forms_still_work(visit, tmp_path):
    path = tmp_path / "größe.csv"
    path.write_bytes(example_text("predictions.csv").replace(",", ";").encode("utf-16"))
    with visit(java_script_enabled=False) as page:
        page.goto("/predictions")
        page.set_input_files("#file", path)
        page.click("#look")
        assert page.inner_text("#data-title") == "Your data: größe.csv"
        page.click("#answer-button")
        assert verdict(page) == "No difference is shown."
        assert page.url.endswith("/predictions#answer")
        with page.expect_download() as coming:
            page.click("text=Download the report")
        assert coming.value.suggested_filename.endswith("-report.html")
        page.goto("/plan")
        page.fill("#f-difference", "0.04")
        page.click("text=Show")
        assert "difference of 0.04" in verdict(page)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_file_that_is_too_large_is_refused_on_the_page(visit, tmp_path, scripts):
    path = tmp_path / "big.csv"
    path.write_bytes(b"truth,a,b\n" + b"x,x,y\n" * 5_000_000)
    with visit(errors_expected=not scripts, java_script_enabled=scripts) as page:
        page.goto("/predictions")
        page.set_input_files("#file", path)
        if not scripts:
            page.click("#look")
        assert page.inner_text(".alert").startswith("The file is larger than 1 MB, the most this page takes")


def test_a_bad_file_is_refused_on_the_page_which_goes_on(visit):
    with visit(errors_expected=True) as page:  # Chromium notes the status 422 on its console
        page.goto("/table")
        drop(page, "bad.csv", "data,a,b\nx,1\n")
        assert page.inner_text(".alert") == "bad.csv, line 2 has 2 cells where the header has 3."
        wait_for(page, ".alert").to_be_focused()
        drop(page, "good.csv", example_text("table.csv"))
        page.wait_for_selector("#understood")
        assert page.locator(".alert").count() == 0


def test_another_site_can_not_make_the_page_compute(visit, address):
    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self):
            plan = f"{address}/plan?test=wilcoxon&find=power&size=300"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<iframe src="{plan}"></iframe><a href="{plan}">free money</a>'.encode())

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        with visit(errors_expected=True) as page:
            page.goto(f"http://127.0.0.1:{other.server_port}/")
            page.click("text=free money")
            page.wait_for_load_state()  # the words are there before the scripts that see a field change
            assert page.inner_text("#answer .alert").startswith("Another site led here, so nothing was computed.")
            page.fill("#f-size", "200")
            page.wait_for_selector("#answer .verdict")
        other.shutdown()


def test_what_is_in_the_data_is_never_run(visit):
    attack, more = "<img src=x onerror=attacked=1>", "<script>attacked=1</script>"
    with visit() as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        page.goto("/predictions")
        page.fill("#text", f"truth,{attack},'\"</textarea>{more}\n" + f"{more},{more},=1+1\n" * 20)
        page.click("#look")
        page.click("#answer-button")
        assert verdict(page) == f"{attack} is better."
        assert page.evaluate("window.attacked") is None
