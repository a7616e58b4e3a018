"""How long a figure takes for one event of a drag, redrawing included; wanted: 16 ms.

Run by ``make bench``, for every figure of the gallery that has something to drag. A handle is led
around its drawing, on the page that shows the figure alone, in headless Chromium: the same moves
each time. The browser's trace records what its main thread does, on this machine and as on one
four times slower. The time of a move is all of that from one pointer event to the next: the
handlers, the frame's redraw, style, layout and paint, but not waiting.
"""

from math import cos, sin, tau
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from press.browser import find
from press.gallery import EMBED, figures

SITE = Path(__file__).parents[1] / "_build" / "html"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
MOVES, WARMING = 120, 40
SLOWED = 4  # times, as a phone or a tablet
HANDLE = ".uf-grab[role=slider]"
# The state, as an address has it, and the handle that set most in motion; else it is the first
# handle of the default.
DRAGGED = {
    "cliff": ("T:100", ".start"),  # two descents of 150 updates, through 100 steps each
    "compose": ("zoom:10", HANDLE),  # a window of the curve, which is computed as it moves
    "eigen": ("modes:true", ".spectrum [role=slider]"),  # with the sum of modes
    "flow": ("", ".handle"),  # a row of W, and not only the direction at the end
    "lstm": ("", ".zone"),
    "scales": ("", ".back"),
    "sharing": ("", ".word.year"),
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


def lead(page, box, moves):
    """Lead what is held around the drawing."""
    for k in range(moves):
        page.mouse.move(*way(box, k))
        page.wait_for_timeout(PAUSE)


def record(page, handle, slowed):
    """Trace a drag of a handle (a locator) over its drawing and return its events, in order."""
    session = page.context.new_cdp_session(page)
    events, done = [], []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    session.on("Tracing.tracingComplete", lambda data: done.append(data))
    handle.scroll_into_view_if_needed()
    box = handle.evaluate(
        "(node) => (node.ownerSVGElement ?? node.parentElement).getBoundingClientRect().toJSON()"
    )
    grip = handle.bounding_box()
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    lead(page, box, WARMING)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    session.send("Tracing.start", {"categories": TRACED, "transferMode": "ReportEvents"})
    lead(page, box, MOVES)
    session.send("Tracing.end")
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
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
        # What is within a part counts there: a layout that a handler asks for. What had not ended
        # when the recording did has no duration.
        if name in PARTS and "dur" in event and event["tid"] == thread and event["ts"] >= free:
            moves[-1][PARTS[name]] += event["dur"] / 1000
            free = event["ts"] + event["dur"]
    return moves


def main():
    """Print the median and the 95th percentile over each drag."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        print(f"one drag event, of {MOVES}, in ms, Chromium {browser.version}; wanted: 16")
        print(f"{'':12}  median    95 %   {SLOWED} x slower: median    95 %   mostly")
        for name in figures():
            state, handle = DRAGGED.get(name, ("", HANDLE))
            page = browser.new_page(viewport={"width": 760, "height": 1000})
            page.goto((SITE / EMBED / f"{name}.html").as_uri() + f"?fig.{name}={state}")
            page.wait_for_selector(".unfolded-figure[data-live=true]")
            grips = page.locator(f".unfolded-figure {handle}").locator("visible=true")
            if grips.count():
                drags = [record(page, grips.first, rate) for rate in (1, SLOWED)]
                tell(name, *map(durations, drags))
            page.close()
        browser.close()


def tell(name, *drags):
    """Print what a move took in each drag, and what part of it most."""
    for moves in drags:
        spent = [sum(move.values()) for move in moves]
        median, most = np.median(spent), np.percentile(spent, 95)
        print(f"{name:12} {median:7.1f} {most:7.1f}{'':14}", end="")
        name = ""
    parts = {part: sum(move[part] for move in moves) for part in PARTS.values()}
    print("   " + max(parts, key=parts.get), flush=True)


if __name__ == "__main__":
    main()
