"""Build the book: ``python -m rnn_helpers.site.build``.

Jupyter Book runs a notebook again when its code changes, and never when the package behind it does.
So two fingerprints are kept beside what was built. When the package (or what it is pinned to) has
changed, every notebook runs again; when only the look has changed, every page is made again from
the outputs that are there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import yaml

SITE = Path("rnn_helpers/site")
BUNDLES = Path("rnn_helpers/explore/static")


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


def behind_outputs(root: Path) -> list[Path]:
    """List the files that outputs depend on: the package, its data, what it is pinned to.

    Of the bundled figures only their manifest, which `explore.show` reads, is among them.
    """
    package = root / "rnn_helpers"
    return [
        path
        for path in (*package.rglob("*.py"), *package.rglob("*.json"), root / "requirements.txt")
        if not path.is_relative_to(root / SITE)
    ]


def behind_pages(root: Path) -> list[Path]:
    """List the files that pages depend on and Sphinx does not watch: our extension, the bundles."""
    return [
        path
        for folder in (root / SITE, root / BUNDLES)
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]


def forget_what_changed(root: Path) -> None:
    """Remove the caches whose fingerprint is no longer true, and write the new ones."""
    built = root / "_build"
    caches = {
        "outputs": (behind_outputs(root), [".jupyter_cache", ".posters", ".doctrees"]),
        "pages": (behind_pages(root), [".doctrees"]),
    }
    for name, (files, folders) in caches.items():
        path, now = built / f".stamp-{name}", stamp(root, files)
        if path.exists() and path.read_text("utf-8") == now:
            continue
        for folder in folders:
            shutil.rmtree(built / folder, ignore_errors=True)
        built.mkdir(exist_ok=True)
        path.write_text(now, "utf-8")


def notebooks(root: Path) -> list[Path]:
    """List the notebooks that the table of contents names, in its order."""
    toc = settings(root / "_toc.yml")
    files = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    paths = [(root / file).with_suffix(".ipynb") for file in files]
    return [path for path in paths if path.exists()]


def settings(path: Path) -> dict:
    """Read a YAML file; what is wrong in it is told with its name."""
    with path.open(encoding="utf-8") as file:
        return yaml.safe_load(file)


def unreadable(paths: Iterable[Path]) -> dict[str, str]:
    """Say of each file that is no notebook what is wrong with it.

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
    except Exception as error:  # a database, a file or what it says: damage has many faces
        print(f"the outputs that were kept are damaged ({type(error).__name__}): all run again")
        shutil.rmtree(folder)
        return get_cache(folder)


def execute(root: Path) -> dict[str, str]:
    """Run the notebooks that changed, as many at a time as there are cores.

    Returns
    -------
    dict
        Path to traceback, of the notebooks that failed.
    """
    from rnn_helpers.site.executor import run_all
    from rnn_helpers.site.internals import keep_outputs, kept_record

    paths = notebooks(root)
    failed = unreadable(paths)
    if failed:
        return failed
    cache = heal(root / "_build" / ".jupyter_cache")
    timeout = settings(root / "_config.yml")["execute"]["timeout"]
    stale = [path for path in paths if kept_record(cache, path) is None]
    for path, notebook, traceback in run_all(stale, timeout):
        if traceback:
            failed[str(path)] = traceback
        else:
            keep_outputs(cache, path, notebook, {})
            print(f"ran {path.relative_to(root)}", flush=True)
    return failed


def build(root: Path) -> int:
    """Run what changed, then make the site.

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
    failed = execute(root)
    for path, traceback in failed.items():
        print(f"\n{traceback}\n\n{Path(path).relative_to(root)} failed.", file=sys.stderr)
    if failed:
        return 1
    print("making the pages", flush=True)
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    status = subprocess.run(
        [jupyter_book, "build", root, "--warningiserror", "--nitpick", "--keep-going", "--quiet"],
        stdout=subprocess.DEVNULL,
    ).returncode
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
    """Run what changed of the notebooks, and make the site."""
    argparse.ArgumentParser(
        prog="python -m rnn_helpers.site.build", description=main.__doc__
    ).parse_args(arguments)
    return build(Path(__file__).resolve().parents[2])


if __name__ == "__main__":
    sys.exit(main())
