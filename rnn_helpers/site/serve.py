"""Serve the built site: ``python -m rnn_helpers.site.serve --host 0.0.0.0 --port 8000``."""

import argparse
import asyncio
import contextlib
import socket
from pathlib import Path
from threading import Event, Thread

from tornado.httpserver import HTTPServer
from tornado.web import Application, StaticFileHandler

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"


class _Handler(StaticFileHandler):
    def set_extra_headers(self, path):  # a browser asks each time whether its copy is current
        self.set_header("Cache-Control", "no-cache")


async def _serve(folder, listener, stop):
    files = (r"/(.*)", _Handler, {"path": str(folder), "default_filename": "index.html"})
    app = Application([files], compress_response=True, static_hash_cache=False)
    server = HTTPServer(app, idle_connection_timeout=30)  # seconds for a whole request
    server.add_socket(listener)
    await stop.wait()
    await server.close_all_connections()


@contextlib.contextmanager
def serving(folder, host="127.0.0.1", port=0):
    """Serve `folder` from another thread, and yield the address; port 0 is any that is free."""
    with contextlib.suppress(ImportError):  # Windows has no limit of open files
        import resource  # at the limit, Tornado would accept no connection

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most % 2**63, 4096), most))
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    with socket.create_server((host, port), backlog=1024) as listener:  # a class arrives at once
        listener.setblocking(False)
        served = _serve(folder, listener, stop)
        thread = Thread(target=loop.run_until_complete, args=[served], daemon=True)
        thread.start()
        yield f"http://{host}:{listener.getsockname()[1]}"
        loop.call_soon_threadsafe(stop.set)
        thread.join()


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m rnn_helpers.site.serve")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for a room")
    parser.add_argument("--port", default=8000, type=int, help="0 for any that is free")
    options = parser.parse_args()
    try:
        with contextlib.suppress(KeyboardInterrupt), serving(SITE, **vars(options)) as address:
            print(f"Open {address.replace('0.0.0.0', socket.gethostname())}/  (Ctrl+C ends)")
            Event().wait()
    except (OSError, OverflowError) as error:
        parser.error(f"HOST={options.host} PORT={options.port}: {error}")
