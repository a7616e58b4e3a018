"""A room is served: packed, from the browser's copy where it is right, whatever is asked."""

import gzip
import http.client
import os
import re
import socket
import subprocess
import sys
import threading
import time
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.site import serve

PAGE = b"<p>" + b"Hello, room. " * 400
PICTURE = os.urandom(4000)
NAMED = "mystnb.0123456789abcdef0123456789abcdef.css"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("room") / "site"
    (folder / "book").mkdir(parents=True)
    (folder / "index.html").write_bytes(PAGE)
    (folder / "book/index.html").write_bytes(PAGE)
    (folder / "host.js").write_bytes(b"let x = 1;\r\n" * 200)
    (folder / "picture.png").write_bytes(PICTURE)
    (folder / NAMED).write_text("a {}", "utf-8")
    (folder.parent / "secret.txt").write_text("secret", "utf-8")
    (folder / "way-out").symlink_to(folder.parent)
    return folder


@pytest.fixture(scope="module")
def address(folder):
    with serve.serving(folder) as address:
        yield address.removeprefix("http://")


@pytest.fixture
def told(capfd, caplog):
    """What the server has printed or logged until now; a log of its own goes to stderr."""
    return lambda: "".join(capfd.readouterr()) + caplog.text


@pytest.fixture
def ask(address):
    """Ask for a path; give status, headers and body."""

    def ask(path, method="GET", **headers):
        connection = http.client.HTTPConnection(address, timeout=10)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    return ask


def test_a_page_is_sent_packed_to_who_can_unpack_it(ask):
    status, headers, body = ask("/", Accept_Encoding="gzip, br")
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert gzip.decompress(body) == PAGE
    assert len(body) < len(PAGE) / 10
    status, headers, body = ask("/")
    assert (status, headers["Content-Encoding"], body) == (200, None, PAGE)
    assert headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip;q=0", False),
        ("gzip; q=0.0, br", False),
        ("br, GZIP; q=0.5", True),
        ("*", True),
        ("*;q=0", False),
        ("gzip;q=0, *", False),
        ("gzip;q=many", False),
        ("not-gzip", False),
        ("", False),
    ],
)
def test_a_page_is_compressed_only_where_the_browser_accepts_it(ask, accepted, packed):
    _, headers, body = ask("/", Accept_Encoding=accepted)
    assert headers["Content-Encoding"] == ("gzip" if packed else None)
    assert (gzip.decompress(body) if packed else body) == PAGE


@given(st.text(st.sampled_from("gzip*;q=01., x"), max_size=30))
def test_no_accepted_encoding_is_an_error(accepted):
    assert serve.accepts_gzip(accepted) in (True, False)


@pytest.mark.parametrize(("share", "packed"), [(0.5, True), (0.8, True), (0.95, False)])
def test_a_file_is_compressed_where_that_saves_a_tenth(ask, folder, share, packed):
    content = PICTURE[: int(4000 * share)].ljust(4000, b"x")
    (folder / "half.bin").write_bytes(content)
    os.utime(folder / "half.bin", ns=(1, round(share * 1e12)))  # another share is another version
    _, headers, _ = ask("/half.bin", Accept_Encoding="gzip")
    assert headers["Content-Encoding"] == ("gzip" if packed else None)


def test_what_does_not_get_smaller_is_sent_as_it_is(ask):
    _, headers, body = ask("/picture.png", Accept_Encoding="gzip")
    assert (headers["Content-Encoding"], body) == (None, PICTURE)


@pytest.mark.parametrize("accepted", [{}, {"Accept_Encoding": "gzip"}])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_right_copy_is_not_sent_again(ask, accepted, method):
    _, headers, _ = ask("/", **accepted)
    status, _, body = ask("/", method, If_None_Match=headers["Etag"], **accepted)
    assert (status, body) == (304, b"")


def test_a_packed_and_an_unpacked_copy_are_told_apart(ask):
    tags = {ask("/", **accepted)[1]["Etag"] for accepted in ({}, {"Accept_Encoding": "gzip"})}
    assert len(tags) == 2


def test_a_file_that_was_built_again_is_sent_again(ask, folder):
    path = folder / "page.html"
    path.write_text("before", "utf-8")
    _, headers, _ = ask("/page.html")
    path.write_text("behind", "utf-8")  # as long, and within the same second
    os.utime(path, ns=(1, path.stat().st_mtime_ns + 1))
    status, headers, body = ask("/page.html", If_None_Match=headers["Etag"])
    assert (status, body, headers["Cache-Control"]) == (200, b"behind", "no-cache")


def test_only_what_its_content_names_is_kept_without_asking(ask, folder):
    # as Sphinx names a script: by the checksum of its content without carriage returns
    content = (folder / "host.js").read_bytes().replace(b"\r", b"")
    checksum = f"{zlib.crc32(content):08x}"
    for path, kept in {
        "/": False,
        "/host.js": False,
        f"/host.js?v={checksum}": True,
        "/host.js?v=01234567": False,
        "/host.js?digest=0123456789abcdef0123456789abcdef": False,
        f"/{NAMED}": True,
    }.items():
        told = ask(path)[1]["Cache-Control"]
        assert told == ("max-age=31536000, immutable" if kept else "no-cache"), path


@pytest.mark.parametrize("accepted", [{}, {"Accept_Encoding": "gzip"}])
def test_a_part_of_a_file_is_a_part_of_the_form_that_is_sent(ask, accepted):
    _, headers, whole = ask("/", **accepted)
    for asked, part in {"5-9": whole[5:10], "5-": whole[5:], "-7": whole[-7:]}.items():
        status, told, body = ask("/", Range=f"bytes={asked}", **accepted)
        assert (status, body, told["Etag"]) == (206, part, headers["Etag"])
        assert told["Content-Range"].endswith(f"/{len(whole)}")


def test_a_part_of_another_version_is_not_asked_for(ask):
    tag = ask("/")[1]["Etag"]
    status, _, body = ask("/", Range="bytes=5-9", If_Range=tag)
    assert (status, body) == (206, PAGE[5:10])
    for other in ('"another"', f"W/{tag}", "Thu, 26 Nov 2026 13:00:00 GMT"):
        status, _, body = ask("/", Range="bytes=5-9", If_Range=other)
        assert (status, body) == (200, PAGE)


@pytest.mark.parametrize("path", ["/index.html/", "/book/index.html/", "/index.html%2f"])
def test_a_file_is_no_folder(ask, path):
    assert ask(path)[0] == 404


def test_a_folder_is_its_index(ask):
    status, headers, _ = ask("/book")
    assert (status, headers["Location"]) == (301, "/book/")
    assert ask("/book/")[2] == PAGE


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/book/../../secret.txt",
        "/..%5csecret.txt",
        "//secret.txt",
        "/way-out/secret.txt",
        "/%00",
        "/secret%00.txt",
        "/%ff",
        "/" + "a" * 5000,
    ],
)
def test_nothing_but_the_site_is_served(ask, told, path):
    status, _, body = ask(path)
    assert status in (400, 403, 404)
    assert b"secret" not in body
    assert told() == ""


def test_any_address_is_answered_and_none_prints(address, told):
    @given(path=st.binary(max_size=40))
    def answered(path):
        connection = http.client.HTTPConnection(address, timeout=10)
        connection.request("GET", "/" + "".join(f"%{byte:02x}" for byte in path))
        assert connection.getresponse().status in (200, 301, 400, 403, 404)
        connection.close()

    answered()
    assert told() == ""


@pytest.mark.slow
def test_who_goes_away_before_the_answer_prints_nothing(ask, address, folder, told):
    (folder / "large.bin").write_bytes(os.urandom(8_000_000))
    host, port = address.split(":")
    for request in (
        b"GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HT",
        b"\x16\x03\x01\r\n\r\n",
    ):
        with socket.create_connection((host, int(port))) as gone:
            # closed with data unread, the connection is reset
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            gone.sendall(request)
            if request.endswith(b"\r\n\r\n"):
                gone.recv(1)
    assert ask("/")[0] == 200
    assert told() == ""


@pytest.mark.slow
def test_idle_connections_hold_no_thread_and_keep_nobody_waiting(ask, address):
    host, port = address.split(":")
    before = threading.active_count()
    idle = [socket.create_connection((host, int(port))) for _ in range(180)]
    assert ask("/")[0] == 200
    assert threading.active_count() == before
    for connection in idle:
        connection.close()


# Serves a folder on any port, with few files allowed, as the hard limit of a shell would.
LIMITED = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[2]), int(sys.argv[3])))
from rnn_helpers.site import serve
serve.SITE = Path(sys.argv[1])
serve.main(["--port", "0"])
"""


@pytest.mark.slow
@pytest.mark.skipif(serve.resource is None, reason="this system has no such limit")
@pytest.mark.parametrize("hard", [256, 1024])
def test_requests_that_are_never_finished_keep_nobody_waiting(folder, tmp_path, hard):
    """At the limit of open files the oldest connections go; below it, the limit is raised."""
    output = tmp_path / "output"
    with output.open("wb") as told:
        command = [sys.executable, "-c", LIMITED, folder, "256", str(hard)]
        server = subprocess.Popen(command, stdout=told, stderr=subprocess.STDOUT)
    half = []
    try:
        port = int(waited(lambda: re.search(rb"127.0.0.1:(\d+)/", output.read_bytes()))[1])
        for _ in range(300):
            half.append(socket.create_connection(("127.0.0.1", port), timeout=10))
            half[-1].sendall(b"GET / HTTP/1.1\r\nHost: ")
        for _ in range(3):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/")
            assert connection.getresponse().read() == PAGE
            connection.close()
    finally:
        server.terminate()
        server.wait(10)
        for connection in half:
            connection.close()
    assert output.read_bytes().count(b"\n") == 1  # the address


def waited(found, seconds=30):
    """Return what is found, once it is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := found():
            return result
        time.sleep(0.05)
    pytest.fail(f"nothing came within {seconds} seconds")


@pytest.mark.slow
def test_a_connection_that_waits_too_long_is_closed(folder, monkeypatch):
    monkeypatch.setattr(serve, "PATIENCE", 0.2)
    with serve.serving(folder) as address:
        host, port = address.removeprefix("http://").split(":")
        for begun in (b"", b"GET / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n"):
            with socket.create_connection((host, int(port)), timeout=10) as slow:
                slow.sendall(begun)
                while slow.recv(4096):  # until the server closes it
                    pass


def test_a_host_of_its_own_is_printed_as_it_was_given(folder, monkeypatch, capsys):
    """Only 0.0.0.0, which no browser opens, is printed as this machine's address in the room."""
    monkeypatch.setattr(serve, "SITE", folder)
    monkeypatch.setattr(serve, "_address", lambda: "192.0.2.7")
    monkeypatch.setattr(serve.asyncio, "run", lambda served: served.close())
    for host, printed in {"127.0.0.1": "127.0.0.1", "0.0.0.0": "192.0.2.7"}.items():
        assert serve.main(["--host", host, "--port", "0"]) == 0
        assert f"Open http://{printed}:" in capsys.readouterr().out


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def complaint(capsys, *arguments):
    assert serve.main(list(arguments)) == 1
    told, complaint = capsys.readouterr()
    assert told == ""
    assert complaint.count("\n") == 1
    return complaint


@pytest.fixture
def _site(folder, monkeypatch):
    monkeypatch.setattr(serve, "SITE", folder)


@pytest.mark.usefixtures("_site")
class TestWrongArguments:
    """Each gets one line that names it."""

    @pytest.mark.parametrize("port", ["99999", "65536", "-1"])
    def test_a_port_that_is_none(self, capsys, port):
        assert re.search(f"PORT={port} is no port.*65535", complaint(capsys, "--port", port))

    def test_a_port_that_is_taken(self, capsys, taken):
        told = complaint(capsys, "--port", str(taken))
        assert f"PORT={taken} is taken. Try PORT=" in told

    @pytest.mark.parametrize("host", ["nowhere.invalid", "a..b", "192.0.2.1"])
    def test_a_host_that_is_not_here(self, capsys, host):
        told = complaint(capsys, "--host", host, "--port", "0")
        assert f"HOST={host} is not an address of this machine" in told
        assert "PORT" not in told

    def test_no_site(self, capsys, monkeypatch, tmp_path):
        monkeypatch.setattr(serve, "SITE", tmp_path)
        assert "make book" in complaint(capsys)
