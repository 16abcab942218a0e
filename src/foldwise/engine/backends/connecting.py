"""Getting in touch with a Dask scheduler, or finding out soon that there is none."""

from __future__ import annotations

import socket
import warnings
from typing import Any

from foldwise.core.errors import ClusterUnavailable, InvalidInput, MissingDependency

__all__ = ["CONNECT_SECONDS", "connect"]

CONNECT_SECONDS = 5
"""How long a scheduler may take to greet, and then to accept the client."""

LONGEST_GREETING = 2**20


def connect(cluster: Any) -> Any:
    """A client of the scheduler at an address, or the client itself; refuses what is no scheduler within seconds."""
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingDependency("cluster", "cluster") from error
    if isinstance(cluster, Client):
        return cluster
    if not isinstance(cluster, str):
        raise InvalidInput(f"cluster must be a scheduler's address such as 'tcp://host:8786', got {cluster!r}")
    try:
        _greet(cluster)
        with warnings.catch_warnings():
            # about versions: `check_workers` refuses those that matter
            warnings.filterwarnings("ignore", message="Mismatched versions found")
            return _client(cluster)
    except (OSError, ValueError) as error:  # distributed's TimeoutError is an OSError
        raise ClusterUnavailable(f"cluster {cluster!r}: no Dask scheduler answers at this address") from error


def _client(address: str) -> Any:
    """A client; one that does not come about counts as closed, or Python would wait for it, in vain, when it ends."""
    from distributed import Client

    client = Client.__new__(Client)
    try:
        client.__init__(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[misc]
    except BaseException:
        client.status = "closed"
        raise
    return client


def _greet(address: str) -> None:
    """Refuse an address at which something other than a scheduler answers, or nothing: the client would hang.

    A scheduler speaks first: the length of its greeting, as eight bytes.
    """
    from distributed.comm.addressing import parse_address, parse_host_port

    scheme, location = parse_address(address)
    if scheme == "tls":
        _check_certificates(address)
    if scheme != "tcp":
        return
    with socket.create_connection(parse_host_port(location), timeout=CONNECT_SECONDS) as connection:
        length = int.from_bytes(connection.recv(8, socket.MSG_WAITALL), "little")
    if not 0 < length < LONGEST_GREETING:
        raise OSError(f"{address} sent {length} where a scheduler would send the length of its greeting")


def _check_certificates(address: str) -> None:
    """Refuse a tls:// address without certificates: the client would end in a TypeError, and hang when it is closed."""
    from distributed.security import Security

    try:
        arguments: dict[str, Any] = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    except OSError as error:  # a file that is missing, or is no certificate (ssl.SSLError)
        where = "the certificates of Dask's configuration (distributed.comm.tls)"
        raise ClusterUnavailable(f"cluster {address!r}: {where} can't be read: {error}") from error
    if arguments.get("ssl_context") is None:
        raise ClusterUnavailable(
            f"cluster {address!r} needs certificates: name them in Dask's configuration (distributed.comm.tls)"
        )
