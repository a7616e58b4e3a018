"""Build the book: ``python -m press.build``.

A build repeats only the work that a change affects. While a notebook runs, its kernel records the
files of the package that it reads, and jupyter-cache keeps the record beside the outputs. So a
notebook runs again if its code or one of these files has changed. Its page is made again if the
outputs have. Other pages depend on marks (`press.fresh`). A change of the site's own
code, or of a pinned package, makes everything again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from press.edition import settings, table_of_contents, write_table_of_contents
from press.fresh import CODE, LOOK, mark
from press.internals import build_pages, keep_outputs, kept_record
from press.overlay import lay
from rnn_helpers.commands import run_program

PACKAGE, PRESS = Path("rnn_helpers"), Path("press")
SHARED = PACKAGE / "explore/static"
# Parts of figures that no notebook reads.
SOURCES = (
    "figures/*/built",
    "figures/lib",
    "figures/**/test_*.py",
    *(f"figures/*/*.{kind}" for kind in ("js", "css", "tex")),
)
WIDGET = re.compile(r'"model_id": "\w+"')
# Files of the package that take part in making every page.
BEHIND_PAGES = (
    "checks/core.py",
    "checks/instance.py",
    "explore/html.py",
    "explore/states.py",
    "palette.json",
    "palette.py",
)


def stamp(root: Path, files: Iterable[Path]) -> str:
    """Fingerprint files by their paths and contents.

    Parameters
    ----------
    root : Path
        The folder that paths are taken relative to.
    files : iterable of Path
        In any order.

    Returns
    -------
    str
        Hex digits; another set of files or any other byte gives others.
    """
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(files):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()


def files(folder: Path, *apart: str) -> list[Path]:
    """List the files in a folder, except compiled modules and what the patterns `apart` match."""
    skipped = {path for pattern in apart for path in folder.glob(pattern)}
    return [
        path
        for path in folder.rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and skipped.isdisjoint((path, *path.parents))
    ]


def contents(root: Path) -> dict[str, str]:
    """Hash all files that a notebook may read, by the names under which kernels record them.

    Of a bundled figure, only its entry in the manifest counts, as part of its Python module and
    instead of its script: a notebook that shows the figure copies the script for JupyterLab, but a
    page draws the figure itself.

    Returns
    -------
    dict
        Name of a file to a hash of its content, of a folder (with a slash) to one of the names in
        it, and ``"*"`` to one of everything.
    """
    package, book = root / PACKAGE, root / "book"
    found = files(package, "explore/static", *SOURCES) + files(book)
    names: dict[str, list[str]] = {}
    figures = json.loads((root / SHARED / "manifest.json").read_text("utf-8"))
    hashes = {
        f"{PACKAGE}/figures/{name}/{file}": json.dumps(entry)
        for name, entry in figures.items()
        for file in (f"built/{name}.js", "figure.py")
    }
    for path in sorted(found):
        name = path.relative_to(root).as_posix()
        content = path.read_bytes() + hashes.get(name, "").encode()
        hashes[name] = hashlib.sha256(content).hexdigest()
        while "/" in name:
            name, _, last = name.rpartition("/")
            names.setdefault(f"{name}/", []).append(last)
    listings = {name: json.dumps(sorted({*each})) for name, each in names.items()}
    listings.pop("book/", None)  # contains the pages that are made
    return hashes | listings | {"*": json.dumps([hashes, listings])}


def forget_what_changed(root: Path) -> None:
    """Remove the caches whose fingerprint is no longer true, and write the new ones."""
    built = root / "_build"
    site = [*files(root / PRESS, "static"), *(root / PACKAGE / name for name in BEHIND_PAGES)]
    caches = {
        "outputs": ([root / "requirements.txt"], [".jupyter_cache", ".doctrees"]),
        "pages": (site, [".doctrees"]),
        "edition": ([write_table_of_contents(root)], ["html"]),  # no file of another edition stays
    }
    for name, (behind, folders) in caches.items():
        path, now = built / f".stamp-{name}", stamp(root, behind)
        if path.exists() and path.read_text("utf-8") == now:
            continue
        for folder in folders:
            shutil.rmtree(built / folder, ignore_errors=True)
        built.mkdir(exist_ok=True)
        path.write_text(now, "utf-8")


def mark_what_changed(root: Path) -> None:
    """Write the marks of the figures' bundles, of the files of all pages, and of the code."""
    bundles: dict[str, list[Path]] = {}
    for path in root.glob(f"{PACKAGE}/figures/*/built/*"):
        bundles.setdefault(path.stem, []).append(path)
    for name, parts in bundles.items():
        mark(root, name, stamp(root, parts))
    shared = files(root / SHARED, "*.json")
    mark(root, LOOK, stamp(root, shared + files(root / PRESS / "static")))
    for path in (root / PACKAGE / "exercises").glob("chapter_??.py"):
        number = path.stem[-2:]
        mark(root, f"exercises-{number}", stamp(root, path.parent.glob(f"chapter_{number}*.py")))
    apart = ("checks", "claims", "exercises", "explore/static", "experiments/archive", *SOURCES)
    code = [*files(root / PACKAGE, *apart), root / SHARED / "manifest.json"]
    mark(root, CODE, stamp(root, code))


def notebooks(root: Path) -> list[Path]:
    """List the notebooks that the edition's table of contents names, in its order."""
    toc = table_of_contents(root)
    files = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    paths = [(root / file).with_suffix(".ipynb") for file in files]
    return [path for path in paths if path.exists()]


def unreadable(paths: Iterable[Path]) -> dict[str, str]:
    """Describe the fault of each file that is not a valid notebook.

    Returns
    -------
    dict
        Path to reason.
    """
    import nbformat

    wrong = {}
    for path in paths:
        try:
            content = json.loads(path.read_text("utf-8"))
            if not isinstance(content, dict):
                raise ValueError(f"expected an object, found a {type(content).__name__}")
            nbformat.validate(content)
        except (ValueError, nbformat.ValidationError) as error:
            wrong[str(path)] = f"It is not a notebook: {str(error).splitlines()[0]}"
    return wrong


def heal(folder: Path):
    """Return the outputs that are kept; forget all of them if some cannot be read back."""
    from jupyter_cache import get_cache

    try:
        cache = get_cache(folder)
        cache.list_project_records()
        for record in cache.list_cache_records():
            cache.get_cache_bundle(record.pk)
        return cache
    except Exception as error:  # the database, a file or its content may be damaged
        print(f"the outputs that were kept are damaged ({type(error).__name__}): all run again")
        shutil.rmtree(folder)
        return get_cache(folder)


def execute(root: Path) -> dict[str, str]:
    """Run the notebooks that a change affects, one per core at a time.

    Returns
    -------
    dict
        Path to traceback, of the notebooks that failed.
    """
    from press.executor import run_all

    paths = notebooks(root)
    failed = unreadable(paths)
    if failed:
        return failed
    cache = heal(root / "_build" / ".jupyter_cache")
    timeout = settings(root / "_config.yml")["execute"]["timeout"]
    # Hashed before anything runs, so that files that change during the run count as changed later.
    now = contents(root)
    folders = {"rnn_helpers": str(root / PACKAGE), "book": str(root / "book")}
    stale = [path for path in paths if not is_fresh(kept_record(cache, path), now)]
    for path, ran in run_all(stale, timeout, folders):
        if ran.traceback:
            failed[str(path)] = ran.traceback
            continue
        read = {name: now.get(name) for name in sorted(ran.read or {"*"})}
        # First the mark: a build that stops in between would leave a page without new outputs.
        mark(root, path.stem, shown(ran.notebook))
        keep_outputs(cache, path, ran.notebook, {"read": read})
        print(f"ran {path.relative_to(root)}", flush=True)
    return failed


def shown(notebook) -> str:
    """Hash the outputs of a notebook, except the names of widgets, which differ in each kernel."""
    outputs = json.dumps([cell.get("outputs") for cell in notebook.cells])
    return hashlib.sha256(WIDGET.sub("", outputs).encode()).hexdigest()


def is_fresh(record, now: dict[str, str]) -> bool:
    """Whether there is a record of outputs, and all files read for them are unchanged."""
    read = record and record.data.get("read")
    return bool(read) and all(now.get(name) == content for name, content in read.items())


def build(root: Path) -> int:
    """Run changed notebooks, then make the site.

    Parameters
    ----------
    root : Path
        The repository.

    Returns
    -------
    int
        0, or 1 when a notebook failed or Sphinx warned.
    """
    forget_what_changed(root)
    mark_what_changed(root)
    failed = execute(root)
    for path, traceback in failed.items():
        print(f"\n{traceback}\n\n{Path(path).relative_to(root)} failed.", file=sys.stderr)
    if failed:
        return 1
    print("making the pages", flush=True)
    status = build_pages(root, os.cpu_count() or 1)
    if status:
        print(
            "The book has warnings: see above. They count as errors. Where they speak of nothing "
            "in the book, what was kept of the last build is damaged: make clean.",
            file=sys.stderr,
        )
        return 1
    print(f"\nOpen {(root / '_build' / 'html' / 'index.html').as_uri()}")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Run changed notebooks and make the site, from the command line."""
    argparse.ArgumentParser(prog="python -m press.build", description=main.__doc__).parse_args(
        arguments
    )
    root = Path(__file__).resolve().parents[1]
    try:
        table_of_contents(root)
        lay(root)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return build(root)


if __name__ == "__main__":
    run_program(main)
