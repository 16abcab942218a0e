"""Encrypted addresses at which there is no scheduler, and certificates that are none: one sentence, also at the end."""

from __future__ import annotations

import shutil
import subprocess
import textwrap

import pytest
import warm

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")

SCRIPT = """
    import socket, sys, threading
    import dask
    import numpy as np
    from sklearn.naive_bayes import GaussianNB
    from foldwise.core.errors import ClusterUnavailable
    from foldwise.engine import run
    from foldwise.engine.backends import cluster

    cluster.CONNECT_SECONDS = 1
    kind, certificate, key = sys.argv[1:]
    server, held = socket.create_server(("127.0.0.1", 0)), []

    def answer():
        while True:
            connection, _ = server.accept()
            held.append(connection)
            if kind == "other":
                connection.sendall(b"SSH-2.0-OpenSSH" + bytes([13, 10]))
            if kind == "hangs up":
                connection.close()

    threading.Thread(target=answer, daemon=True).start()
    files = {"ca-file": certificate, "client.cert": certificate, "client.key": key}
    dask.config.set({f"distributed.comm.tls.{name}": file for name, file in files.items()})
    try:
        run({"nb": GaussianNB()}, np.arange(20.0).reshape(-1, 1), [0, 1] * 10, 4, progress=False,
            cluster=f"tls://127.0.0.1:{server.getsockname()[1]}")
    except ClusterUnavailable as error:
        print(error)
"""


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """A certificate and its key."""
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=foldwise"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


def attempt(*words):
    return warm.call("-c", textwrap.dedent(SCRIPT), *words)


@pytest.mark.parametrize("kind", ["silent", "other", "hangs up"])
def test_what_is_no_scheduler_is_one_sentence(pair, kind):
    done = attempt(kind, *pair)
    assert done.stdout.endswith("no Dask scheduler answers at this address\n"), done.stderr
    # a client that never came about used to be waited for when Python ended, and left a traceback
    assert done.stderr == ""


def test_certificates_that_can_not_be_read_are_named(pair, tmp_path):
    message = "the certificates of Dask's configuration (distributed.comm.tls) can't be read: "
    assert message in attempt("silent", tmp_path / "none.pem", pair[1]).stdout
    (tmp_path / "text.pem").write_text("no certificate")
    assert message in attempt("silent", tmp_path / "text.pem", pair[1]).stdout
