"""The address of a server: checked before any request, and its errors in words."""

import socket
import ssl
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies

from tokenbench.errors import ClientError

CONNECT_SECONDS: Final = 10.0
MAX_ERROR_CHARS: Final = 300
_MAX_URL_CHARS: Final = 200
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
# OpenSSL's reasons for an answer in plain text.
_NOT_TLS: Final = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE")
# The start of aiohttp's message.
_NO_CONNECTION: Final = "Cannot connect to host"


def parse_server_url(url: str) -> SplitResult:
    """Return the parts of a server's URL.

    Raises:
        ClientError: it does not begin with http:// or https:// and a host.

    >>> parse_server_url("http://localhost:8000/v1").port
    8000
    """
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in _DEFAULT_PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid:
        hint = "" if "://" in url else f"; did you mean 'http://{url}'?"
        raise ClientError(
            f"the server's URL {url[:_MAX_URL_CHARS]!r} must begin with http:// or https:// and a "
            f"host, as in http://localhost:8000/v1{hint}"
        )
    return parts


def connect_once(server: SplitResult, timeout: float = CONNECT_SECONDS) -> None:
    """Connect to a server and close the connection; do nothing if the environment names a proxy.

    Raises:
        ClientError: no server listens there, or it does not speak https.
    """
    if getproxies():
        return
    address = server.hostname, server.port or _DEFAULT_PORTS[server.scheme]
    try:
        with socket.create_connection(address, min(timeout, CONNECT_SECONDS)) as stream:
            if server.scheme == "https":
                _start_tls(stream)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ClientError(
            f"cannot connect to {server.geturl()!r} ({reason.lower()}): start the server, or "
            "correct --base-url"
        ) from None


def _start_tls(stream: socket.socket) -> None:
    """Raise an OSError if a server does not speak TLS; requests check its certificate later."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        context.wrap_socket(stream).close()
    except ssl.SSLError as error:
        if error.reason in _NOT_TLS:
            raise OSError("the server speaks http, not https") from None
    except TimeoutError:
        raise OSError("no answer in https; perhaps the server speaks http") from None


def describe_error(failure: Exception) -> str:
    """Return why a request has no response."""
    cause = str(failure.__cause__ or "")
    # The package calls a refused connection a timeout.
    error = cause if cause.startswith(_NO_CONNECTION) else f"{failure} {cause}".strip()
    return error[:MAX_ERROR_CHARS]


def describe_refusal(body: Any, full: str) -> str:
    """Return the message and the code in the body of an error, or the full text without any.

    >>> describe_refusal({"message": "No such model", "code": "not_found"}, "404: …")
    'No such model (not_found)'
    """
    fields = body if isinstance(body, dict) else {}
    message = fields.get("message") or fields.get("detail")
    if not isinstance(message, str):
        message = full
    code = fields.get("code") or fields.get("type")
    if isinstance(code, str) and not code.isdigit() and code not in message:
        message = f"{message} ({code})"
    return " ".join(message.split())[:MAX_ERROR_CHARS]
