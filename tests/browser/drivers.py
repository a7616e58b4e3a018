"""Firefox and WebKit, driven by their own protocols: WebDriver BiDi and WebDriver.

Each driver opens an address, runs a function in the page, moves the mouse and presses keys. Both
protocols describe the actions of mouse and keys in the same way.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from glob import glob

import websocket

WIDTH, HEIGHT = 1280, 800
PATIENCE = 300  # seconds to wait for a browser to open, and for each answer
# Runs a function with arguments that JSON can hold, and returns its result as text.
CALL = "(async () => JSON.stringify((await ({function})(...{arguments})) ?? null))()"
KEYS = {"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Space": " "}


def free_port():
    """Return a port that no program listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def when_ready(connect):
    """Return the result of `connect`, which is called again until the browser answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return connect()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def move(x, y):
    """Return the action that moves the mouse to a point."""
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 30}


class Driver:
    """A browser with one page, and a method for each action of a reader."""

    def __init__(self, command, **environment):
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **environment},
            start_new_session=True,
        )

    def close(self):
        """End the browser and the programs that it started."""
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()

    def open(self, url):
        """Open an address, and wait until the page has loaded."""
        self.go(url)
        # If the previous page still writes its state into its address, `go` may return too early.
        here = [url, "complete"]
        while when_ready(lambda: self.run("() => [location.href, document.readyState]")) != here:
            time.sleep(0.05)

    def take(self, x, y):
        """Press the mouse button at a point."""
        self.act("pointer", "mouse", [move(x, y), {"type": "pointerDown", "button": 0}])

    def lead(self, *points):
        """Move the pressed mouse over the points, and release it at the last."""
        moves = [move(x, y) for x, y in points]
        self.act("pointer", "mouse", [*moves, {"type": "pointerUp", "button": 0}])

    def press(self, key):
        """Press and release a key."""
        self.act(
            "key", "keys", [{"type": f"key{way}", "value": KEYS[key]} for way in ("Down", "Up")]
        )


class Firefox(Driver):
    """Firefox, which listens to WebDriver BiDi itself."""

    found = shutil.which("firefox-esr") or shutil.which("firefox")

    def __init__(self, folder):
        port = free_port()
        options = [
            "--headless",
            "--no-remote",
            "--profile",
            folder,
            "--remote-debugging-port",
            port,
        ]
        super().__init__([self.found, *map(str, options)])
        self.sent = 0
        address = f"ws://127.0.0.1:{port}/session"
        self.socket = when_ready(
            lambda: websocket.create_connection(address, PATIENCE, suppress_origin=True)
        )
        self.send("session.new", capabilities={})
        # The first page doesn't have the focus, so keys wouldn't reach it.
        self.page = {"context": self.send("browsingContext.create", type="tab")["context"]}
        window = {"width": WIDTH, "height": HEIGHT}
        self.send("browsingContext.setViewport", **self.page, viewport=window)

    def close(self):
        """End the browser and the connection to it."""
        super().close()
        self.socket.shutdown()

    def send(self, method, **params):
        """Send a command and return its result."""
        self.sent += 1
        self.socket.send(json.dumps({"id": self.sent, "method": method, "params": params}))
        answer = {}
        while answer.get("id") != self.sent:
            answer = json.loads(self.socket.recv())
        assert answer["type"] == "success", f"{method}: {answer}"
        return answer["result"]

    def go(self, url):
        """Open an address."""
        self.send("browsingContext.navigate", **self.page, url=url, wait="complete")

    def run(self, function, *arguments):
        """Run a function of JavaScript in the page."""
        call = CALL.format(function=function, arguments=json.dumps(arguments))
        given = self.send("script.evaluate", expression=call, target=self.page, awaitPromise=True)
        assert given["type"] == "success", given["exceptionDetails"]["text"]
        return json.loads(given["result"]["value"])

    def act(self, kind, name, actions):
        """Move the mouse, or press keys."""
        source = {"type": kind, "id": name, "actions": actions}
        self.send("input.performActions", **self.page, actions=[source])


class WebKit(Driver):
    """WebKit, whose own program listens to WebDriver and opens a window."""

    found = shutil.which("WebKitWebDriver") and (
        os.environ.get("DISPLAY") or shutil.which("xvfb-run")
    )
    # Debian's small browser that uses WebKit
    browser = next(iter(glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")), "MiniBrowser")

    def __init__(self, folder):
        port = free_port()
        screen = (
            [] if os.environ.get("DISPLAY") else ["xvfb-run", "-a", "-s", "-screen 0 1600x1200x24"]
        )
        # Root, as in a container, may not create WebKit's sandbox.
        root = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"} if os.geteuid() == 0 else {}
        super().__init__([*screen, "WebKitWebDriver", f"--port={port}"], **root)
        self.address = f"http://127.0.0.1:{port}/session"
        browser = {"binary": self.browser, "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": browser}}
        session = when_ready(lambda: self.send("", capabilities=wanted))
        self.address += f"/{session['sessionId']}"
        self.send("/timeouts", script=1000 * PATIENCE)
        self.send("/window/rect", width=WIDTH, height=HEIGHT)

    def send(self, path, **body):
        """Send a command and return its result."""
        request = urllib.request.Request(self.address + path, json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise OSError(f"{path} {body}: {error.read().decode()}") from error

    def close(self):
        """Close the window first."""
        request = urllib.request.Request(self.address, method="DELETE")
        urllib.request.urlopen(request, timeout=PATIENCE).close()
        super().close()

    def go(self, url):
        """Open an address."""
        self.send("/url", url=url)

    def run(self, function, *arguments):
        """Run a function of JavaScript in the page."""
        call = CALL.format(function=function, arguments=json.dumps(arguments))
        wait = (
            "const done = arguments[0]; {}.then((text) => done({{ text }}), (e) => done(String(e)))"
        )
        given = self.send("/execute/async", script=wait.format(call), args=[])
        assert isinstance(given, dict), given
        return json.loads(given["text"])

    def act(self, kind, name, actions):
        """Move the mouse, or press keys."""
        self.send("/actions", actions=[{"type": kind, "id": name, "actions": actions}])
