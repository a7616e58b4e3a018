"""Serve the built site: ``python -m rnn_helpers.site.serve --host 0.0.0.0 --port 8000``.

The address of a room's machine is what the room has to type, so it is printed.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import socket
import sys
from pathlib import Path

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, asks browsers to check for new ones, and keeps quiet."""

    def end_headers(self) -> None:
        """Ask for a check before an old copy is shown."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *args) -> None:
        """Say nothing for each request."""


def server(folder: Path, host: str = "127.0.0.1", port: int = 0) -> http.server.ThreadingHTTPServer:
    """Bind a server of a folder.

    Parameters
    ----------
    folder : Path
        What is served.
    host : str
        ``"0.0.0.0"`` for every machine in the room.
    port : int
        0 for any that is free.

    Returns
    -------
    http.server.ThreadingHTTPServer
        Bound, not yet serving.
    """
    handler = functools.partial(Handler, directory=str(folder))
    return http.server.ThreadingHTTPServer((host, port), handler)


def _address() -> str:
    """Find the address other machines see; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"


def main() -> int:
    """Serve until Ctrl+C."""
    parser = argparse.ArgumentParser(description="Serve the built site.")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for a room")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    if not SITE.exists():
        print("There is no site yet: make book.", file=sys.stderr)
        return 1
    try:
        serving = server(SITE, options.host, options.port)
    except OSError as error:
        print(f"Port {options.port}: {error.strerror}. Try PORT=8001.", file=sys.stderr)
        return 1
    host = _address() if options.host == "0.0.0.0" else options.host
    print(f"Open http://{host}:{serving.server_port}/   (Ctrl+C ends)", flush=True)
    try:
        serving.serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
