"""The connection to a scheduler, tried before Dask's client, which tries again and again, and says less."""

from __future__ import annotations

import socket
import ssl
import warnings

from distributed import Client
from distributed.security import Security
from distributed.versions import VersionMismatchWarning

from topoctl.errors import TopoctlError

CONNECT_SECONDS = 10
TLS = (
    "distributed.comm.tls of Dask's configuration, or in DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
    "…__TLS__CLIENT__CERT and …__TLS__CLIENT__KEY"
)


def connected(address: str) -> Client:
    """A client of the scheduler at an address, under the certificates of Dask's configuration.

    Raises:
        TopoctlError: there is none, or it does not take these certificates.
    """
    try:
        if address.startswith(("tcp://", "tls://")):
            greet(address)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)  # what matters, the roster says
            return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TypeError, ValueError) as error:
        raise TopoctlError(f"no connection to the scheduler {address}: {reason(error)}") from error


def greet(address: str) -> None:
    """Wait for the first byte that a scheduler sends to whoever connects.

    Raises:
        TopoctlError: there is no scheduler, or no certificate to show it.
        OSError: there is none, or it does not take the certificate.
    """
    protocol, _, place = address.partition("://")
    host, _, port = place.rpartition(":")
    context: ssl.SSLContext | None = None
    if protocol == "tls":
        context = Security().get_connection_args("client").get("ssl_context")
        if context is None:
            raise TopoctlError(f"{address}: no certificates; name them in {TLS}")
    with socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS) as plain:
        try:
            with context.wrap_socket(plain) if context else plain as link:
                answered = link.recv(1)
        except TimeoutError:
            answered = b""
    if not answered:
        raise TopoctlError(f"{address}: no Dask scheduler answers there")


def reason(error: BaseException) -> str:
    """What lies under an error, in one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split()) or type(error).__name__
