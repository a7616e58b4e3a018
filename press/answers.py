"""Code exercises that are answered on the page: a box below each stub, and the reader's progress.

Beside the chapters are a script that judges answers and a script with the answers to each chapter's
exercises. A page loads both when the first box comes near. Answers stay in the reader's browser.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from press.downloads import link
from press.edition import chapters
from press.fresh import note_mark
from press.internals import Cell, cell_number, cells
from press.renderers import figure_node, living_figure
from press.whole import replacing
from rnn_helpers.checks.core import UNANSWERED, Exercise, require_exercise

FOLDER = "answers"  # beside the chapters
JUDGE = Path(__file__).parent / "vendor" / "printed.js"
CHECK = re.compile(r"""^(?:\w+ = )?check\(["'](?P<name>[\w-]+)["'].*""", re.M | re.S)
BOX = re.compile(r"""explore\.show\(\s*["']answer["'].*?exercise=["']([\w-]+)["']""", re.S)
THERE = '<span class="unf-there" data-cell="{}"></span>'  # where links to the launched cell go


def mark_of(docname: str) -> str:
    """Return the mark of a chapter's exercises."""
    return f"exercises-{docname.rpartition('/')[2][:2]}"


def _code_exercise(cell: Cell) -> str | None:
    """Return the code exercise that a cell without an answer checks, if the page can judge it."""
    found = cell.code is not None and CHECK.search(cell.code.astext())
    if not found or cell.output is None or not cell.output.astext().startswith(UNANSWERED):
        return None
    entry = require_exercise("exercise", found["name"])
    printed = isinstance(entry, Exercise) and entry.cases and not entry.off_page
    return entry.name if printed else None


def _add_boxes(app, doctree) -> None:
    """Replace the output of each code exercise's check by a box, and drop the check itself."""
    docname, boxes = app.env.docname, []
    for cell in cells(doctree):
        if name := _code_exercise(cell):
            where = _cell_id(app.env, cell)
            [code] = cell.code.findall(nodes.literal_block)
            stub = CHECK.sub("", code.astext()).rstrip()
            code.rawsource, code.children = stub, [nodes.Text(stub)]
            boxes.append(box := _box(app.env, name))
            notebook = link(docname, "Write it in the notebook") + THERE.format(where)
            line = nodes.raw("", notebook, format="html")
            cell.node.replace(
                cell.output, [box, nodes.paragraph("", "", line, classes=["unf-write"])]
            )
    if not boxes:
        return
    note_mark(app.env, mark_of(docname))
    sources = {
        "judge": _address("judge", JUDGE.read_text("utf-8")),
        "answers": _address(docname.rpartition("/")[2], _script(boxes)),
    }
    for box in boxes:
        box["payload"]["state"] |= sources


def _address(name: str, script: str) -> str:
    return f"{FOLDER}/{name}-{hashlib.sha256(script.encode()).hexdigest()[:8]}.js"


def _cell_id(env, cell: Cell) -> str:
    notebook = json.loads(Path(env.doc2path(env.docname)).read_text("utf-8"))
    return notebook["cells"][cell_number(cell.node)]["id"]


def _box(env, name: str) -> living_figure:
    """Return the node of an exercise's box. Its answers go into the chapter's script."""
    from rnn_helpers.checks.instance import asked
    from rnn_helpers.explore import show

    payload = show("answer", exercise=name).payload
    state = {"exercise": name, "version": payload["state"]["version"]}
    data = {key: value for key, value in asked(name).items() if key != "lines"}
    return figure_node(env, payload | {"state": state}, data)


def script(answers: dict[str, dict]) -> str:
    """Return the script of a chapter's answers."""
    text = json.dumps(answers, ensure_ascii=False, separators=(",", ":"))
    return f"var unfoldedAnswers={text};\n"


def _script(boxes: list[living_figure]) -> str:
    return script({box["payload"]["state"]["exercise"]: box["asked"] for box in boxes})


def _write_scripts(app, pagename, templatename, context, doctree) -> None:
    """Write the scripts of a chapter's boxes, and remove those of an earlier build."""
    boxes = [] if doctree is None else [b for b in doctree.findall(living_figure) if b.get("asked")]
    if not boxes:
        return
    state, folder = boxes[0]["payload"]["state"], Path(app.outdir, pagename).parent
    for key, text in (("judge", JUDGE.read_text("utf-8")), ("answers", _script(boxes))):
        path = folder / state[key]
        for old in path.parent.glob(f"{path.stem.rpartition('-')[0]}-*.js"):
            if old != path:
                old.unlink(missing_ok=True)  # pages are written side by side
        with replacing(path) as part:
            part.write_text(text, "utf-8")


def launched(body: str, buttons: list[dict]) -> str:
    """Add links to each exercise's cell on the hosts that launch buttons lead to.

    Colab scrolls to the cell of an id, and JupyterLab to that in the fragment of its path.
    """

    def there(found: re.Match) -> str:
        links = []
        for button in buttons:
            on_colab = "colab" in button["url"]
            part = f"#scrollTo={found[1]}" if on_colab else f"%23cell-id%3D{found[1]}"
            links.append(f'<a href="{html.escape(button["url"] + part)}">{button["text"]}</a>')
        return "".join(f" · {link}" for link in links)

    return re.sub(THERE.format('([^"]+)'), there, body)


# the reader's progress ----------------------------------------------------------------------------


def answered(path: Path) -> list[str]:
    """List the exercises of a chapter's notebook that its page can judge, in order."""
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        if box := BOX.search(cell.source):
            found.append(box[1])
        elif stub := CHECK.search(cell.source):
            entry = require_exercise("exercise", stub["name"])
            if isinstance(entry, Exercise) and entry.cases and not entry.off_page:
                found.append(entry.name)
    return found


def _add_progress(app, doctree) -> None:
    """Add the line with a chapter's progress, below the line on how to run it."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb" or not (names := answered(path)):
        return
    for line in doctree.findall(nodes.raw):
        if 'class="unf-run"' in line.astext():
            count = f"{len(names)} exercise{'s' * (len(names) != 1)} can be answered on this page."
            text = f'<p class="unf-progress" data-exercises="{" ".join(names)}">{count}</p>'
            line.parent.insert(line.parent.index(line) + 1, nodes.raw("", text, format="html"))
            return


class Progress(SphinxDirective):
    """``{progress}``: a map of the answers that a reader has given in all chapters."""

    def run(self) -> list[nodes.Node]:
        """Return a list of chapters; a script shows it once there are answers."""
        root = Path(self.env.srcdir)
        items = []
        for path in chapters(root / "book"):
            self.env.note_dependency(str(path))
            name, names = path.stem, answered(path)
            items.append(
                f'<li><a href="{name}.html">{int(name[:2])}</a>'
                f'<span data-exercises="{" ".join(names)}"></span></li>'
            )
        text = f'<div class="unf-map" hidden><ol>{"".join(items)}</ol><p></p></div>'
        return [nodes.raw("", text, format="html")]


def _load(app, pagename, templatename, context, doctree) -> None:
    if "data-exercises" in context.get("body", ""):
        app.add_js_file("progress.js", loading_method="defer")


def setup(app) -> None:
    """Register the boxes, their scripts, and the progress."""
    app.add_directive("progress", Progress)
    app.connect("doctree-read", _add_boxes)
    app.connect("doctree-read", _add_progress, priority=600)  # below the line that `notebooks` adds
    app.connect("html-page-context", _write_scripts)
    app.connect("html-page-context", _load)
