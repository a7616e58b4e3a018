"""How long a figure takes for one event of a drag, redrawing included; wanted: 16 ms.

Run by ``make bench``. The first handle of a figure is led around its drawing in headless Chromium,
the same 240 moves each time, and the browser's trace records what its main thread does. The time
of a move is all of that from one pointer event to the next: the handlers, the frame's redraw,
style, layout and paint, but not waiting.
"""

import shutil
import tempfile
from math import cos, sin, tau
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from rnn_helpers.explore import show

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
MOVES = 240
# What is dragged, on which drawing: what sets most in motion.
DRAGGED = {
    # the first eigenvalue, with the sum of modes
    "eigen": ({"modes": True}, ".spectrum [role=slider]", ".spectrum svg"),
    # radius and input scale of a hundred units, simulated and solved anew
    "reservoir": ({}, "[role=slider]", ".frame"),
    # the start of two descents of 150 updates, through 100 steps of the network each
    "cliff": ({"T": 100}, ".start", ".pane"),
}
PAUSE = 20  # milliseconds between moves, as from a hand
TRACED = "devtools.timeline,disabled-by-default-devtools.timeline"
# Work of the main thread, by the names of its trace.
PARTS = {
    "EventDispatch": "handlers",
    "FireAnimationFrame": "redraw",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "Layerize": "paint",
    "Commit": "paint",
}


def way(box, k):
    """Point k of a path that leaves the unit circle, comes back, and crosses the real axis."""
    turn = tau * k / MOVES
    radius = 0.3 + 0.12 * cos(7 * turn)  # of the width of the drawing
    return box["x"] + box["width"] * (0.5 + radius * cos(3 * turn)), (
        box["y"] + box["height"] * (0.5 - radius * sin(3 * turn))
    )


def record(page, handle, drawing):
    """Trace a drag of a handle over a drawing and return its events, in order."""
    session = page.context.new_cdp_session(page)
    events, done = [], []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    session.on("Tracing.tracingComplete", lambda data: done.append(data))
    handle = page.locator(f".unfolded-figure {handle}").first
    handle.scroll_into_view_if_needed()
    box = page.locator(f".unfolded-figure {drawing}").first.bounding_box()
    grip = handle.bounding_box()
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    session.send("Tracing.start", {"categories": TRACED, "transferMode": "ReportEvents"})
    for k in range(MOVES):
        page.mouse.move(*way(box, k))
        page.wait_for_timeout(PAUSE)
    session.send("Tracing.end")
    while not done:
        page.wait_for_timeout(50)
    page.mouse.up()
    return sorted(events, key=lambda event: event["ts"])


def durations(events):
    """Milliseconds of each part of the work after each move."""
    moves, thread, free = [], None, 0
    for event in events:
        name, data = event["name"], event.get("args", {}).get("data", {})
        if name == "EventDispatch" and data.get("type") == "pointermove":
            thread = event["tid"]
            moves.append(dict.fromkeys(PARTS.values(), 0.0))
        # What is within a part counts there: a layout that a handler asks for.
        if name in PARTS and event["tid"] == thread and event["ts"] >= free:
            moves[-1][PARTS[name]] += event["dur"] / 1000
            free = event["ts"] + event["dur"]
    return moves


def main():
    """Print the median and the 95th percentile over each drag."""
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        for name, (state, *where) in DRAGGED.items():
            file = Path(folder, f"{name}.html")
            html = show(name, **state)._repr_mimebundle_()["text/html"]
            file.write_text(f"<!doctype html><meta charset=utf-8><body>{html}", "utf-8")
            page = browser.new_page(viewport={"width": 760, "height": 1000})
            page.goto(file.as_uri())
            page.wait_for_selector(".unfolded-figure[data-live=true]")
            record(page, *where)  # once to warm up
            tell(name, durations(record(page, *where)), browser.version)
        browser.close()


def tell(name, moves, version):
    """Print what each part of the work took."""
    print(f"\none drag event of the figure {name}, {len(moves)} moves, Chromium {version}")
    print("               median ms   95 % ms")
    for part in dict.fromkeys(PARTS.values()):
        spent = [move[part] for move in moves]
        print(f"{part:12} {np.median(spent):11.2f} {np.percentile(spent, 95):9.2f}")
    spent = [sum(move.values()) for move in moves]
    print(f"{'all':12} {np.median(spent):11.2f} {np.percentile(spent, 95):9.2f}   wanted: 16")


if __name__ == "__main__":
    main()
