"""A class on a real JupyterHub: eight students get chapter 4 and run all of it at once.

The hub has the packages and settings that ``press/HUB.md`` names. What it lacks of a server with
The Littlest JupyterHub are systemd, which sets the limits there, and separate users of the system.
"""

import asyncio
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from statistics import mean
from textwrap import dedent
from urllib.parse import urlencode

import nbformat
import pytest
from books import ROOT
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.netutil import bind_sockets
from tornado.websocket import websocket_connect

from press.launch import launch
from press.students import TORCH

pytestmark = [
    pytest.mark.slow,
    pytest.mark.nightly(files=["press/HUB.md", "press/launch.py", "requirements-hub.txt"]),
    pytest.mark.xdist_group("hub"),
]
USERS = [f"student{k}" for k in range(1, 9)]
CHAPTER = "04_bptt"
REPOSITORY = {"url": "https://github.com/OWNER/NAME", "branch": "classroom", "path_to_book": ""}
PINS = ROOT / "requirements-hub.txt"
PROXY = "configurable-http-proxy@4.6.3"
GUIDE = (ROOT / "press" / "HUB.md").read_text("utf-8")
PATH = f"unfolded/book/{CHAPTER}.ipynb"
SECONDS = 900
IDLE = 60  # seconds that the test gives an idle kernel
# A student's own notebook, before it imports anything of the book.
ONE_THREAD = """import numpy, threadpoolctl
assert {pool["num_threads"] for pool in threadpoolctl.threadpool_info()} == {1}"""
MARK = secrets.token_hex(8)  # in the environment of our servers and kernels
KEPT = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG")}
CONFIG = """
c = get_config()
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.spawner_class = "simple"
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {hub_port}
c.JupyterHub.db_url = "sqlite://"
c.JupyterHub.services = [{{"name": "teacher", "api_token": "{token}"}}]
scopes = ["admin:users", "admin:servers", "access:servers"]
c.JupyterHub.load_roles = [{{"name": "teacher", "services": ["teacher"], "scopes": scopes}}]
c.ConfigurableHTTPProxy.command = {proxy!r}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy_port}"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r}
c.Spawner.cmd = [{server!r}]
c.Spawner.args = {arguments!r}
c.Spawner.start_timeout = c.Spawner.http_timeout = {seconds}
"""


def snippet(name):
    """Return the file of this name that the guide shows."""
    found = re.search(rf"{re.escape(name)}`.*?```\w+\n(.*?)^ *```", GUIDE, re.S | re.M)
    return dedent(found.group(1))


def tried(command, **options):
    """Run a command that needs the network; skip the tests if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=1800, **options)
    except OSError as error:
        pytest.skip(f"JupyterHub can't be installed here: {error}")
    if done.returncode:
        pytest.skip(f"JupyterHub can't be installed here: {(done.stdout + done.stderr)[-300:]}")


@pytest.fixture(scope="module")
def branch(tmp_path_factory):
    """Return a repository with the branch that ``make classroom`` writes."""
    folder = launch(REPOSITORY, tmp_path_factory.mktemp("launch") / "unfolded")
    who = ["-c", "user.name=Teacher", "-c", "user.email=teacher@example.org"]
    for command in (
        ["init", "-q", "-b", "classroom"],
        ["add", "."],
        ["commit", "-qm", "Notebooks"],
    ):
        subprocess.run(["git", *who, *command], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def programs(branch, tmp_path_factory):
    """Return the folders of an environment with JupyterHub, and of its proxy's program.

    ``HUB_PYTHON`` and ``HUB_PROXY`` name others that are there already.
    """
    folder = tmp_path_factory.mktemp("hub")
    if python := os.environ.get("HUB_PYTHON"):
        scripts = Path(python).parent
    else:
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        tried([scripts / "pip", "install", "-q", "-r", PINS])
        tried([scripts / "pip", "install", "-q", "--no-deps", "-r", "requirements.txt"], cwd=branch)
    proxy = os.environ.get("HUB_PROXY")
    if not proxy:
        tried([shutil.which("npm") or "npm", "install", "--prefix", folder / "proxy", PROXY])
        proxy = folder / "proxy" / "node_modules" / ".bin" / "configurable-http-proxy"
    return scripts, Path(proxy)


class Hub:
    """A client of the hub and of all its servers, with a service's token."""

    def __init__(self, address, token, process):
        self.address, self.process = address, process
        self.headers = {"Authorization": f"token {token}"}

    async def ask(self, path, method="GET", body=None, **options):
        """Return the status and the text of an answer."""
        sent = None if body is None else json.dumps(body)
        request = HTTPRequest(
            f"{self.address}{path}",
            method,
            self.headers,
            body=sent,
            allow_nonstandard_methods=True,
            request_timeout=SECONDS,
            **options,
        )
        try:
            answer = await AsyncHTTPClient().fetch(request, raise_error=False)
        except OSError as error:  # nobody listens there yet
            return 0, str(error)
        return answer.code, answer.body.decode()

    async def given(self, path, method="GET", body=None):
        """Return an answer in JSON. Any status but a success is an error."""
        status, text = await self.ask(path, method, body)
        assert 200 <= status < 300, f"{method} {path}: {status} {text[-500:]}"
        return json.loads(text) if text else None

    async def started(self):
        """Wait for the hub itself."""
        end = time.monotonic() + SECONDS
        while (await self.ask("/hub/api/"))[0] != 200:
            assert self.process.poll() is None, "the hub has ended"
            assert time.monotonic() < end, "the hub doesn't answer"
            await asyncio.sleep(0.5)

    async def start(self, user):
        """Start a student's server, and wait until it answers."""
        await self.given(f"/hub/api/users/{user}", "POST")
        await self.given(f"/hub/api/users/{user}/server", "POST")
        while (await self.ask(f"/user/{user}/api/status"))[0] != 200:
            await asyncio.sleep(0.5)

    async def pull(self, user, repository):
        """Follow the link to the notebooks: nbgitpuller copies the branch into the home."""
        options = urlencode({"repo": repository, "branch": "classroom"})
        status, told = await self.ask(f"/user/{user}/git-pull/api?{options}")
        assert status == 200, told
        assert '"phase": "finished"' in told, told

    async def run_all(self, user, path):
        """Run a notebook from a student's home; return the ids of cells with an error, and why."""
        opened = await self.given(f"/user/{user}/api/contents/{path}")
        notebook = nbformat.from_dict(opened["content"])
        whole = {"path": path, "name": "", "type": "notebook", "kernel": {"name": "python3"}}
        session = await self.given(f"/user/{user}/api/sessions", "POST", whole)
        kernel = session["kernel"]["id"]
        channels = f"{self.address}/user/{user}/api/kernels/{kernel}/channels"
        socket = await websocket_connect(
            HTTPRequest(channels.replace("http", "ws", 1), headers=self.headers)
        )
        failed = {}
        if error := await execute(socket, ONE_THREAD):
            failed["threads"] = error
        for cell in notebook.cells:
            if cell.cell_type == "code" and (error := await execute(socket, cell.source)):
                failed[cell.id] = error
        socket.close()
        return notebook, failed

    async def kernels_left(self):
        """Return the kernels that run after the time that an idle one is given."""
        end = time.monotonic() + 2 * IDLE + 60
        while time.monotonic() < end:
            lists = [await self.given(f"/user/{user}/api/kernels") for user in USERS]
            if not any(lists):
                return []
            await asyncio.sleep(2)
        return lists


async def execute(socket, code):
    """Run code in a kernel, and return the error that it raised."""
    content = {"code": code, "silent": False, "allow_stdin": False, "stop_on_error": False}
    name = secrets.token_hex(8)
    header = {"msg_id": name, "msg_type": "execute_request", "session": name, "username": ""}
    header |= {"version": "5.3", "date": "2026-01-01T00:00:00Z"}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
    await socket.write_message(json.dumps(message | {"channel": "shell", "buffers": []}))
    error = None
    while True:
        told = await socket.read_message()
        assert told is not None, "the kernel's connection was closed"
        # Arrays of a figure come in binary messages, which we don't need.
        told = json.loads(told) if isinstance(told, str) else {}
        if told.get("parent_header", {}).get("msg_id") != name:
            continue
        if told["msg_type"] == "error":
            error = f"{told['content']['ename']}: {told['content']['evalue']}"
        if told["msg_type"] == "status" and told["content"]["execution_state"] == "idle":
            return error


def proportional(process):
    """Return the memory of a process in MB; what several share is divided among them."""
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
    return int(re.search(r"^Pss: +(\d+)", rollup, re.M)[1]) * 1024 / 1e6


def measured():
    """Return memory in MB, seconds of CPU and threads of each server and each kernel."""
    found = {"server": [], "kernel": []}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if MARK not in (folder / "environ").read_text("utf-8", "replace"):
                continue
            command = (folder / "cmdline").read_text("utf-8", "replace")
            kind = "kernel" if "ipykernel_launcher" in command else "server"
            # Processor times are the fields 14 and 15, and the name before them may have blanks.
            ticks = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()[11:13]
            seconds = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
            threads = len(list((folder / "task").iterdir()))
            found[kind].append((proportional(folder.name), seconds, threads))
    return found


def free_ports(count):
    sockets = [bind_sockets(0, "127.0.0.1")[0] for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@pytest.fixture(scope="module")
def hub(programs, tmp_path_factory):
    """Start a hub with the guide's settings, and end it and its servers."""
    scripts, proxy = programs
    folder = tmp_path_factory.mktemp("class")
    kernels = json.loads(snippet("etc/jupyter/jupyter_server_config.json"))
    kernels["MappingKernelManager"] |= {"cull_idle_timeout": IDLE, "cull_interval": 5}
    settings = folder / "settings" / "jupyter_server_config.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps(kernels), "utf-8")
    token = secrets.token_hex(32)
    port, hub_port, proxy_port = free_ports(3)
    config = CONFIG.format(
        port=port,
        hub_port=hub_port,
        proxy_port=proxy_port,
        token=token,
        proxy=[str(proxy)],
        homes=str(folder / "{username}"),
        server=str(scripts / "jupyterhub-singleuser"),
        # As in a container, the tests may run as root.
        arguments=["--allow-root"] * (os.geteuid() == 0),
        seconds=SECONDS,
    )
    config += snippet("jupyterhub_config.d/unfolded.py")
    more = {"UNFOLDED_TEST": MARK, "JUPYTER_CONFIG_PATH": str(settings.parent)}
    config += f"c.Spawner.environment |= {more!r}\n"
    (folder / "jupyterhub_config.py").write_text(config, "utf-8")
    environment = {**KEPT, "PATH": f"{scripts}{os.pathsep}{KEPT['PATH']}"}
    command = [scripts / "jupyterhub", "-f", folder / "jupyterhub_config.py"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        yield Hub(f"http://127.0.0.1:{port}", token, process)
    finally:
        process.terminate()  # the hub then ends its proxy and all servers
        process.wait(60)


def report(found):
    """Print a line for the servers and one for the kernels, and the time that all took."""
    for kind, rows in found.items():
        memory, seconds, threads = zip(*rows, strict=True)
        print(
            f"{kind}s: {len(rows)}, memory {mean(memory):.0f} MB (at most {max(memory):.0f}), "
            f"CPU {mean(seconds):.1f} s, threads {max(threads)}"
        )


def test_eight_students_run_a_chapter_at_once(hub, branch, capsys):
    async def lesson():
        await hub.started()
        await asyncio.gather(*[hub.start(user) for user in USERS])
        await asyncio.gather(*[hub.pull(user, str(branch)) for user in USERS])
        from_now = time.monotonic()
        done = await asyncio.gather(*[hub.run_all(user, PATH) for user in USERS])
        return done, time.monotonic() - from_now, measured(), await hub.kernels_left()

    done, seconds, found, left = asyncio.run(lesson())
    with capsys.disabled():
        print(f"\n{len(USERS)} students ran {CHAPTER} at once in {seconds:.0f} s")
        report(found)
    for notebook, failed in done:
        # PyTorch isn't on this hub. Only the cells that need it fail, and they say so.
        need = {cell.id for cell in notebook.cells if TORCH in cell.metadata.get("tags", [])}
        assert set(failed) == need, failed
        assert all("torch" in words.lower() for words in failed.values()), failed
    assert len(found["server"]) == len(found["kernel"]) == len(USERS)
    assert not left, "an idle kernel has not been ended"
