from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

import foldwise

pytest.importorskip("starlette", reason="the web page needs the extra 'web'")


@pytest.fixture
def serve():
    """Start the page in a process of its own; returns its address. It is stopped in the end, whatever happens."""
    started = []

    def start(*options):
        command = [sys.executable, "-m", "foldwise", "serve", "--no-open", *options]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(process)
        line = process.stdout.readline()
        return process, re.search(r"http://\S+", line)[0]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_the_page_is_served_on_a_free_port_until_it_is_stopped(serve):
    process, address = serve("--port", "0")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    with urllib.request.urlopen(address, timeout=120) as reply:
        assert "Is one really better than the other?" in reply.read().decode()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (0, "", "")


def test_a_port_that_is_taken_is_one_sentence(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, out, err = run("serve", "--port", port, "--no-open")
    assert (code, out) == (2, "")
    assert re.fullmatch(
        rf"foldwise: port {port} of 127\.0\.0\.1 can't be used \(.*\): give another with --port, or 0\n", err
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--port", "70000"], "70000 is not in the range"),
        (["--host", "no such host"], "host must be an address of this machine, got 'no such host'"),
        (["--max-upload", "0"], "megabytes must be a number above 0"),
        (["--max-rows", "0"], "rows must be a whole number of at least 1"),
        (["--time-limit", "-1"], "seconds must be a number above 0"),
    ],
)
def test_options_that_make_no_sense(run, options, sentence):
    code, out, err = run("serve", "--no-open", *options)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "python_multipart"])
def test_without_the_extra_it_says_what_to_install(run, monkeypatch, package):
    for name in [name for name in sys.modules if name.partition(".")[0] == package or name.startswith("foldwise.web")]:
        monkeypatch.delitem(sys.modules, name)
    # what is imported below becomes an attribute of the package, which the other tests' room must be again
    monkeypatch.setattr(foldwise, "web", None, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    code, _, err = run("serve", "--no-open", "--port", "0")
    assert code == 2
    assert err == "foldwise: the web page needs an optional package: pip install 'foldwise[web]'\n"
