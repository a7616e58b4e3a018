"""Serve the built site: ``python -m rnn_helpers.site.serve --host 0.0.0.0 --port 8000``.

A room opens a chapter at the same moment, so connections may queue, none holds a thread, and files
are compressed. A browser asks whether its copy is still current, and is answered without the file;
for a file that has the digest of its content in its name, it need not even ask. However many
connections are open, a new one is accepted: the oldest makes room for it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import functools
import gzip
import hashlib
import os
import re
import socket
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, StaticFileHandler

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
BACKLOG = 1024  # connections that may wait: thirty readers' browsers open six each
DIGEST = re.compile(r"[0-9a-f]{32}")
YEAR = 365 * 24 * 60 * 60  # seconds
PATIENCE = 30  # seconds that a connection may wait for its next request, or take to send it
MOST_OPEN = 4096  # connections, where the system allows as many
MOST_SENT = 65_536  # bytes that a request may carry: no file asks for any
OWN_FILES = 64  # that the server itself may have open
QUALITY = re.compile(r"q=(0(?:\.\d*)?|1(?:\.0*)?)")


class Copy(NamedTuple):
    """What is kept of a file: its digest, Sphinx's checksum of it, and its gzipped content."""

    digest: str
    checksum: str
    packed: bytes | None  # None where packing saves less than a tenth


@functools.lru_cache(maxsize=4096)
def copy(path: str, modified: int, size: int) -> Copy:
    """Read and pack a file, once for each time that it changes."""
    content = Path(path).read_bytes()
    packed = gzip.compress(content, mtime=0)
    return Copy(
        hashlib.sha256(content).hexdigest(),
        format(zlib.crc32(content.replace(b"\r", b"")), "08x"),
        packed if len(packed) < 0.9 * size else None,
    )


def accepts_gzip(accepted: str) -> bool:
    """Whether a header ``Accept-Encoding`` allows gzip."""
    weights = {}
    for coding in accepted.lower().replace(" ", "").split(","):
        name, _, parameter = coding.partition(";")
        quality = QUALITY.fullmatch(parameter or "q=1")
        weights[name] = float(quality[1]) if quality else 0
    return weights.get("gzip", weights.get("*", 0)) > 0


class Handler(StaticFileHandler):
    """Serves files compressed, with their digests, and prints nothing about bad requests."""

    def parse_url_path(self, url_path: str) -> str:
        """Refuse a name that no file can have."""
        if "\0" in url_path:
            raise HTTPError(400)
        return super().parse_url_path(url_path)

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Find the file, and the copy of it that is sent."""
        path = super().validate_absolute_path(root, absolute_path)
        if path is None:
            return None
        if not os.path.exists(os.path.join(root, self.path)):  # a file is no folder: index.html/
            raise HTTPError(404)
        stat = Path(path).stat()
        self.copy = copy(path, stat.st_mtime_ns, stat.st_size)
        headers = self.request.headers
        packs = accepts_gzip(headers.get("Accept-Encoding", ""))
        self.packed = self.copy.packed if packs else None
        if headers.get("If-Range") not in (None, self.compute_etag()):
            headers.pop("Range", None)  # the part belongs to another version: send all of this one
        return path

    def get_content(self, abspath: str, start: int | None = None, end: int | None = None):
        """Give the packed content, where it is wanted."""
        if self.packed is None:
            return super().get_content(abspath, start, end)
        return self.packed[start:end]

    def get_content_size(self) -> int:
        """Count the bytes that are sent."""
        return super().get_content_size() if self.packed is None else len(self.packed)

    def compute_etag(self) -> str:
        """Give each of the two forms its own tag."""
        return f'"{self.copy.digest}{"" if self.packed is None else "-gzip"}"'

    def set_extra_headers(self, path: str) -> None:
        """Tell how the content is packed, and whether it can ever change under its address."""
        if self.packed is not None:
            self.set_header("Content-Encoding", "gzip")
        self.set_header("Vary", "Accept-Encoding")
        named = DIGEST.search(Path(path).name) or self._version() == self.copy.checksum
        self.set_header("Cache-Control", f"max-age={YEAR}, immutable" if named else "no-cache")

    def _version(self) -> str:
        """Give what Sphinx adds to the address of a style sheet or script: its checksum."""
        return self.get_query_argument("v", "")

    def log_exception(self, kind, error, traceback) -> None:
        """Say nothing of a wrong address: it is answered. What is our fault is told."""
        if not isinstance(error, HTTPError):
            super().log_exception(kind, error, traceback)


def application(folder: Path) -> Application:
    """Return a request handler that serves the files in `folder`."""
    everything = {"path": str(folder), "default_filename": "index.html"}
    return Application([(r"/(.*)", Handler, everything)], log_function=lambda handler: None)


class Server(HTTPServer):
    """Closes its oldest connection where a new one would be one too many.

    At the limit of open files a socket accepts nothing, but goes on announcing a connection.
    """

    def initialize(self, request_callback, most_open: int = MOST_OPEN, **settings) -> None:
        """Set the largest number of open connections; the rest is `HTTPServer`'s."""
        super().initialize(request_callback, **settings)
        self.most_open = most_open
        self.streams: list[IOStream] = []

    def handle_stream(self, stream: IOStream, address: tuple) -> None:
        """Make room for a connection, and serve it."""
        self.streams = [stream for stream in self.streams if not stream.closed()]
        if len(self.streams) >= self.most_open:
            self.streams.pop(0).close()
        self.streams.append(stream)
        super().handle_stream(stream, address)


def most_open() -> int:
    """Return how many connections may be open, once the limit of open files is raised."""
    if resource is None:
        return MOST_OPEN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_OPEN + OWN_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        wanted = soft
    return max(1, wanted - OWN_FILES)


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder to this machine from another thread; yield the address.

    Parameters
    ----------
    folder : Path
        The folder to serve.
    """
    sockets = bind_sockets(0, "127.0.0.1", backlog=BACKLOG)
    loop = asyncio.new_event_loop()
    ended = asyncio.Event()
    serve = _serve(folder, sockets, ended)
    thread = threading.Thread(target=loop.run_until_complete, args=[serve], daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
    loop.call_soon_threadsafe(ended.set)
    thread.join()
    loop.close()


async def _serve(folder: Path, sockets: list[socket.socket], ended: asyncio.Event) -> None:
    http = Server(
        application(folder),
        most_open=most_open(),
        idle_connection_timeout=PATIENCE,
        body_timeout=PATIENCE,
        max_body_size=MOST_SENT,
    )
    http.add_sockets(sockets)
    await ended.wait()
    http.stop()
    await http.close_all_connections()


def _address() -> str:
    """Find the address other machines see; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"


def _trouble(host: str, port: int, error: Exception) -> str:
    """Say what keeps the server from its address, and what to try."""
    if isinstance(error, socket.gaierror | UnicodeError) or error.errno == errno.EADDRNOTAVAIL:
        return f"HOST={host} is not an address of this machine. Try HOST=0.0.0.0 for a room."
    if error.errno == errno.EADDRINUSE:
        return f"PORT={port} is taken. Try PORT={port % 65535 + 1}."
    if error.errno == errno.EACCES:
        return f"PORT={port} is kept for the system. Try PORT=8000."
    return f"HOST={host} PORT={port}: {error.strerror}."


def main(arguments: list[str] | None = None) -> int:
    """Serve until Ctrl+C."""
    parser = argparse.ArgumentParser(
        prog="python -m rnn_helpers.site.serve", description="Serve the built site."
    )
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for a room")
    parser.add_argument("--port", type=int, default=8000, help="0 for any that is free")
    options = parser.parse_args(arguments)
    if not (SITE / "index.html").is_file():
        print("There is no site yet: make book.", file=sys.stderr)
        return 1
    if not 0 <= options.port < 2**16:
        print(f"PORT={options.port} is no port: they go from 0 to 65535.", file=sys.stderr)
        return 1
    try:
        sockets = bind_sockets(options.port, options.host, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        print(_trouble(options.host, options.port, error), file=sys.stderr)
        return 1
    host = _address() if options.host == "0.0.0.0" else options.host
    port = sockets[0].getsockname()[1]
    print(f"Open http://{f'[{host}]' if ':' in host else host}:{port}/   (Ctrl+C ends)", flush=True)
    try:
        asyncio.run(_serve(SITE, sockets, asyncio.Event()))
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
