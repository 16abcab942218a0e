from __future__ import annotations

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.testclient import TestClient
from web.reading import Reply

from foldwise.web.rendering import error_page
from foldwise.web.security import Guard, own_hosts
from foldwise.web.workers import Workers

PAGES = ["/", "/predictions", "/advise", "/static/app.js", "/static/report.css", "/nowhere"]


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000"])
def test_the_pages_own_names(visitor, host):
    assert visitor.get("/", Host=host).status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:8001", "127.0.0.1.evil.example:8000",
     "localhost:8000.evil.example", "localhost:8000@evil.example", ""],
)  # fmt: skip
@pytest.mark.parametrize("address", PAGES)
def test_a_foreign_name_that_resolves_to_this_machine_is_refused(visitor, host, address):
    reply = visitor.get(address, Host=host)
    assert reply.status == 403
    assert "not one of the page's own" in reply.alert


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8000"},
        {"Origin": "http://127.0.0.1:8001"},
        {"Origin": "http://127.0.0.1:8000.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("address", ["/predictions", "/predictions/report.html", "/advise"])
def test_another_site_may_not_post(visitor, headers, address):
    reply = visitor.post(address, headers=headers, text="truth,a,b\nx,x,y\n")
    assert reply.status == 403
    assert reply.alert == "Another site tried to send something to this page, which it may not."
    assert reply.markup


@pytest.mark.parametrize("mode", ["no-cors", "cors", "same-origin"])
def test_another_site_may_not_load_parts_of_the_page(visitor, mode):
    reply = visitor.get("/plan", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode})
    assert (reply.status, reply.alert) == (403, "Another site may link to this page, but not load parts of it.")


def test_another_site_may_link_to_the_page(visitor):
    assert visitor.get("/", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}).status == 200


PLAN = "/plan?test=mcnemar&find=power&size=300"
ELSEWHERE = [
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"},  # another port of this machine
    {"Referer": "http://evil.example/"},
    {"Referer": "http://127.0.0.1:8000.evil.example/"},
    {},
]


@pytest.mark.parametrize("headers", ELSEWHERE)
@pytest.mark.parametrize("address", [PLAN, "/predictions?example=1", "/interval?example=1"])
def test_nothing_is_computed_for_another_site(visitor, headers, address, monkeypatch):
    monkeypatch.setattr(Workers, "run", lambda _, job, *arguments: pytest.fail(f"computed {job}"))
    reply = Reply(visitor._client.get(address, headers=headers))
    assert reply.status == 200
    assert (address == PLAN) == ("Another site led here, so nothing was computed." in (reply.alert or ""))


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {"Referer": "http://127.0.0.1:8000/x"}]
)
def test_the_page_itself_and_the_address_bar_are_answered(visitor, headers):
    assert Reply(visitor._client.get(PLAN, headers=headers)).verdict


@pytest.mark.parametrize("value", ["20000000", "1e300", "inf", "-inf", "nan", "1e12", "9" * 99])
@pytest.mark.parametrize("name", ["size", "folds", "difference", "sigma"])
def test_every_number_is_bounded(visitor, name, value):
    find = "power" if name != "difference" else "size"
    test = "wilcoxon" if name in ("size", "difference") else "corrected_repeated_cv_t"
    assert f"{name.capitalize()} must be" in visitor.get(f"/plan?test={test}&find={find}&{name}={value}").alert


def test_a_program_without_either_header_may_post(visitor):
    reply = visitor.send("/interval", "errors=3&n=50", **{"Content-Type": "application/x-www-form-urlencoded"})
    assert reply.facts()["error rate"] == "6 %"


@pytest.mark.parametrize("address", PAGES)
def test_the_headers_of_every_answer(visitor, address):
    headers = visitor.get(address).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    # with no-referrer, browsers send "Origin: null" with the page's own forms
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("address", ["/", "/predictions?example=1", "/plan", "/advise"])
def test_no_page_needs_anything_from_elsewhere_or_an_inline_script(visitor, address):
    page = visitor.get(address)
    links = page.markup.values("src") + [value for value in page.markup.values("href") if value]
    assert all(link.startswith(("/", "#")) for link in links)
    assert "<script>" not in page.text
    assert not [name for _, name, _ in page.markup.attributes if name.startswith("on")]


def test_own_hosts():
    assert own_hosts("::1", 80) == {
        "localhost", "127.0.0.1", "[::1]", "localhost:80", "127.0.0.1:80", "[::1]:80",
    }  # fmt: skip
    assert "box.lan:8000" in own_hosts("0.0.0.0", 8000, ["Box.LAN"])


def guarded(app):
    return TestClient(Guard(app, hosts=["testserver"], error_page=error_page), raise_server_exceptions=False)


def test_no_traceback_reaches_the_page(capsys):
    async def broken(scope, receive, send):
        raise RuntimeError("a secret detail")

    reply = Reply(guarded(broken).get("/"))
    assert reply.status == 500
    assert reply.alert == "Something went wrong inside foldwise; its log has the details."
    assert "secret" not in reply.text
    assert "a secret detail" in capsys.readouterr().err


def test_an_error_in_the_middle_of_an_answer_ends_it(capsys):
    async def lines():
        yield "a line"
        raise RuntimeError("too late")

    async def broken(scope, receive, send):
        await StreamingResponse(lines())(scope, receive, send)

    assert guarded(broken).get("/").text == "a line"
    assert "too late" in capsys.readouterr().err


def test_a_client_that_has_gone_is_no_error(capsys):
    async def gone(scope, receive, send):
        if scope["path"] == "/gone":
            raise ClientDisconnect
        await PlainTextResponse(Request(scope).url.path)(scope, receive, send)

    assert guarded(gone).get("/here").text == "/here"
    guarded(gone).get("/gone")
    assert capsys.readouterr().err == ""
