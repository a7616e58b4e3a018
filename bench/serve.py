"""How long a room waits for a chapter: 30 readers open it at once, with six connections each.

Run by ``make bench``. Each reader asks for the page and five of the files it loads, 180 requests at
the same moment, as browsers do. Beside ours stands Python's own ``http.server``, with its backlog
of five: who finds that full is not refused but asks again after a second, then two, then four.
"""

import asyncio
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.parse import urljoin

import numpy as np

from press.serve import SITE

READERS, PAGE = 30, "book/13_long_term.html"
PATIENCE = 60  # seconds
SERVERS = {
    "make serve": ["-m", "press.serve", "--port", "0"],
    "python -m http.server": ["-um", "http.server", "-d", SITE, "-b", "127.0.0.1", "0"],
}


@contextmanager
def serving(command):
    """Start a server; yield its port, which it prints."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([sys.executable, *command], **options) as server:
        yield int(re.search(r":(\d+)/", server.stdout.readline())[1])
        server.terminate()


async def ask(port, path):
    """Request a file; return the seconds until it is complete, and its size in bytes."""
    began = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET /{path} HTTP/1.1\r\nHost: room\r\nAccept-Encoding: gzip\r\nConnection: close\r\n"
    writer.write(f"{head}\r\n".encode())
    answer = await reader.read()
    writer.close()
    assert answer.split()[1] == b"200", (path, answer[:80])
    return time.perf_counter() - began, len(answer)


async def room(port, paths):
    """Request all files for all readers at once; a request that fails gives (inf, 0)."""
    asked = (asyncio.wait_for(ask(port, path), PATIENCE) for path in paths * READERS)
    answers = await asyncio.gather(*asked, return_exceptions=True)
    return [(np.inf, 0) if isinstance(answer, OSError) else answer for answer in answers]


def main():
    """Print how long a room waits for each server."""
    if not (SITE / PAGE).is_file():
        sys.exit("There is no site yet: make book.")
    loads = re.findall(r'<(?:script|link)[^>]* (?:src|href)="(\.\./_static/[^"]+)"', page())
    paths = [PAGE, *(urljoin(PAGE, path) for path in loads[:5])]
    print(f"\n{READERS} readers open {PAGE} at once: {READERS * len(paths)} requests")
    print("                        median s   slowest s    gave up   MB sent")
    for name, command in SERVERS.items():
        with serving(command) as port:
            seconds, sizes = np.transpose(asyncio.run(room(port, paths)))
        answered = seconds < np.inf
        waits = [np.median(seconds), seconds[answered].max(), (~answered).sum(), sizes.sum() / 1e6]
        print("{:22}{:10.2f}{:12.2f}{:11.0f}{:10.2f}".format(name, *waits))


def page():
    """Return the page's markup."""
    return (SITE / PAGE).read_text("utf-8")


if __name__ == "__main__":
    main()
