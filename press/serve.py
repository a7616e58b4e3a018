"""Serve the built site: ``python -m press.serve --host 0.0.0.0 --port 8000``."""

import argparse
import asyncio
import contextlib
import math
import os
import socket
from pathlib import Path
from threading import Event, Thread

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.web import Application, StaticFileHandler

from rnn_helpers.commands import run_program

SITE = Path(__file__).resolve().parents[1] / "_build" / "html"
SPARE = 64  # files to be served, in addition to the open connections
# One address of each kind of network: the internet, three private kinds, and the new internet.
FAR = ("192.0.2.1", "10.255.255.255", "172.31.255.255", "192.168.255.255", "2001:db8::1")


class _Handler(StaticFileHandler):
    def set_extra_headers(self, path):  # a browser asks each time whether its copy is current
        self.set_header("Cache-Control", "no-cache")


async def _serve(folder, listener, most, stop):
    files = (r"/(.*)", _Handler, {"path": str(folder), "default_filename": "index.html"})
    app = Application([files], compress_response=True, static_hash_cache=False)
    server = HTTPServer(app, idle_connection_timeout=30)  # seconds for a whole request
    accepting = asyncio.ensure_future(_accept(server, listener, most))
    await stop.wait()
    accepting.cancel()
    await server.close_all_connections()


async def _accept(server, listener, most):
    """Accept connections; while few files may still be opened, let further ones wait."""
    loop = asyncio.get_running_loop()
    while True:
        if _next_file() > most - SPARE:
            await asyncio.sleep(0.1)
            continue
        with contextlib.suppress(ConnectionError):  # of a reader who has already left
            connection, address = await loop.sock_accept(listener)
            server.handle_stream(IOStream(connection), address)


def _next_file():
    """Return the number that the next open file gets: the lowest one that is free."""
    with open(os.devnull, "rb") as file:
        return file.fileno()


def _raise_limit():
    """Raise the limit of open files as far as it makes sense, and return it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return math.inf
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    raised = min(most % 2**63, 4096)
    resource.setrlimit(resource.RLIMIT_NOFILE, (raised, most))
    return raised


@contextlib.contextmanager
def serving(folder, host="127.0.0.1", port=0):
    """Serve `folder` from another thread, and yield the address; port 0 is any that is free."""
    most = _raise_limit()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    with socket.create_server(
        (host, port),
        family=family,
        backlog=1024,  # a class arrives at once
        dualstack_ipv6=both,
    ) as listener:
        listener.setblocking(False)
        served = _serve(folder, listener, most, stop)
        thread = Thread(target=loop.run_until_complete, args=[served], daemon=True)
        thread.start()
        yield _address(host, listener.getsockname()[1])
        loop.call_soon_threadsafe(stop.set)
        thread.join()


def _address(host, port):
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def reachable(host):
    """List the hosts in the addresses under which others reach a server, the best first.

    For all of this machine's addresses, these are the numbers that its networks know it by. Its
    name comes last, because many networks don't know it.
    """
    if host not in ("0.0.0.0", "::"):
        return [host]
    found = []
    for far in FAR if host == "::" else FAR[:-1]:
        family = socket.AF_INET6 if ":" in far else socket.AF_INET
        # Connecting a datagram's socket sends nothing. It only chooses the network.
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as chosen:
            chosen.connect((far, 9))
            found.append(chosen.getsockname()[0])
    return [*dict.fromkeys(found), socket.gethostname()]


def main(arguments=None):
    """Serve the built site until Ctrl+C."""
    parser = argparse.ArgumentParser("python -m press.serve", description=main.__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for a room")
    parser.add_argument("--port", default=8000, type=int, help="0 for any that is free")
    options = parser.parse_args(arguments)
    try:
        with contextlib.suppress(KeyboardInterrupt), serving(SITE, **vars(options)) as address:
            port = int(address.rpartition(":")[2])
            shown = " or ".join(f"{_address(host, port)}/" for host in reachable(options.host))
            print(f"Open {shown}  (Ctrl+C ends)", flush=True)
            Event().wait()
    except (OSError, OverflowError) as error:
        parser.error(f"HOST={options.host} PORT={options.port}: {error}")


if __name__ == "__main__":
    run_program(main)
