"""The server of the built site."""

import contextlib
import gzip
import http.client
import os
import re
import socket
import subprocess
import sys

import pytest

from press import serve

PATIENCE = 300  # seconds, for a machine that is busy with other things
PAGE = b"<p>" + b"Hello, room. " * 400


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("room") / "site"
    (folder / "book").mkdir(parents=True)
    (folder / "index.html").write_bytes(PAGE)
    (folder / "book/index.html").write_bytes(PAGE)
    (folder.parent / "secret.txt").write_text("secret", "utf-8")
    (folder / "way-out").symlink_to(folder.parent)
    return folder


@pytest.fixture(scope="module")
def get(folder):
    """Return a function that requests a path and returns status, headers and body."""

    def get(path, **headers):
        connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    with serve.serving(folder) as address:
        yield get


def test_a_page_is_compressed_for_browsers_that_accept_it(get):
    _, headers, body = get("/", **{"Accept-Encoding": "gzip, br"})
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == PAGE
    status, headers, body = get("/book/")
    assert (status, headers["Content-Encoding"], body) == (200, None, PAGE)


def test_a_current_copy_is_not_sent_again(get):
    _, headers, _ = get("/")
    assert headers["Cache-Control"] == "no-cache"
    assert get("/", **{"If-None-Match": headers["Etag"]})[::2] == (304, b"")


def test_a_page_that_was_built_again_is_sent_again(get, folder):
    path = folder / "page.html"
    path.write_text("before", "utf-8")
    _, headers, _ = get("/page.html")
    path.write_text("behind", "utf-8")  # of equal length, and within the same second
    os.utime(path, ns=(1, path.stat().st_mtime_ns + 1))
    assert get("/page.html", **{"If-None-Match": headers["Etag"]})[::2] == (200, b"behind")


@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/..%2fsecret.txt", "//secret.txt", "/way-out/secret.txt", "/none"],
)
def test_only_files_of_the_site_are_served(get, path):
    status, _, body = get(path)
    assert status in (400, 403, 404)
    assert b"secret" not in body


def started(*options, limit=None, kind="S"):
    """Start the server's program with a limit of open files: a soft one (S) or a hard one."""
    lower = f"ulimit -{kind}n {limit}; " if limit else ""
    shell = f'{lower}exec "$0" "$@"'
    command = ["sh", "-c", shell, sys.executable, "-um", "press.serve", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of open files")
@pytest.mark.parametrize("kind", ["S", ""], ids=["soft", "hard"])
def test_unfinished_requests_do_not_block_the_server(kind):
    """At a hard limit, a request waits until some of the unfinished ones have ended."""
    server = started("--port", "0", limit=256, kind=kind)
    try:
        address = ("127.0.0.1", int(re.search(r":(\d+)/", server.stdout.readline())[1]))
        with contextlib.ExitStack() as open_:
            for _ in range(300):
                unfinished = open_.enter_context(socket.create_connection(address))
                unfinished.sendall(b"GET / HTTP/1.1\r\nHost: ")
            connection = http.client.HTTPConnection(*address)
            connection.request("GET", "/none")
            if not kind:
                open_.close()
            assert connection.getresponse().status == 404
            connection.close()
    finally:
        server.kill()
        _, log = server.communicate()
    assert len(log) < 1000


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
@pytest.mark.parametrize(("host", "asked"), [("::1", ["::1"]), ("::", ["::1", "127.0.0.1"])])
def test_the_new_internet_is_served_as_well(folder, host, asked):
    with serve.serving(folder, host) as address:
        assert address.startswith(f"http://[{host}]:")
        for each in asked:
            connection = http.client.HTTPConnection(each, int(address.rpartition(":")[2]))
            connection.request("GET", "/")
            assert connection.getresponse().read() == PAGE
            connection.close()


def test_a_room_gets_addresses_without_host_names(monkeypatch):
    class Chosen(socket.socket):
        def connect(self, far):
            if far[0].startswith("172"):
                raise OSError("network is unreachable")

        def getsockname(self):
            return ("fe00::7" if self.family == socket.AF_INET6 else "10.0.0.7", 1)

    monkeypatch.setattr(socket, "gethostname", lambda: "laptop")
    monkeypatch.setattr(socket, "socket", Chosen)
    assert serve.reachable("0.0.0.0") == ["10.0.0.7", "laptop"]
    assert serve.reachable("::") == ["10.0.0.7", "fe00::7", "laptop"]
    assert serve.reachable("192.0.2.7") == ["192.0.2.7"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "value"), [("port", "99999"), ("host", "nowhere.invalid"), ("host", "192.0.2.1")]
)
def test_an_impossible_address_is_named(option, value):
    _, complaint = started(f"--{option}", value).communicate(timeout=PATIENCE)
    assert f"{option.upper()}={value}" in complaint
    assert "Traceback" not in complaint
