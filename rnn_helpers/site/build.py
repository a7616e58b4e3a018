"""Build the book: ``python -m rnn_helpers.site.build``.

Jupyter Book runs a notebook again when its code changes, and never when the package behind it does.
So two fingerprints are kept beside what was built. When the package (or what it is pinned to) has
changed, every notebook runs again; when only the look has changed, every page is made again from
the outputs that are there.
"""

from __future__ import annotations

import hashlib
import logging
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
        "outputs": (behind_outputs(root), [".jupyter_cache", ".doctrees"]),
        "pages": (behind_pages(root), [".doctrees"]),
    }
    for name, (files, folders) in caches.items():
        path, now = built / f".stamp-{name}", stamp(root, files)
        if path.exists() and path.read_text() == now:
            continue
        for folder in folders:
            shutil.rmtree(built / folder, ignore_errors=True)
        built.mkdir(exist_ok=True)
        path.write_text(now)


def notebooks(root: Path) -> list[Path]:
    """List the notebooks that the table of contents names, in its order."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    files = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    paths = [(root / file).with_suffix(".ipynb") for file in files]
    return [path for path in paths if path.exists()]


def execute(root: Path) -> dict[str, str]:
    """Run the notebooks that changed, as many at a time as there are cores.

    Returns
    -------
    dict
        Path to traceback, of the notebooks that failed.
    """
    from jupyter_cache import get_cache
    from jupyter_cache.executors import load_executor

    settings = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    cache = get_cache(root / "_build" / ".jupyter_cache")
    paths = [str(path) for path in notebooks(root)]
    for path in paths:
        cache.add_nb_to_project(path)
    logger = logging.getLogger("jcache")
    logger.setLevel(logging.ERROR)
    result = load_executor("local-parallel", cache, logger).run_and_cache(
        filter_uris=paths, timeout=settings["execute"]["timeout"]
    )
    for path in result.succeeded:
        print(f"ran {Path(path).relative_to(root)}")
    return {
        path: cache.get_project_record(path).traceback or "could not be run"
        for path in (*result.excepted, *result.errored)
    }


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
        print("The book has warnings: see above. They count as errors.", file=sys.stderr)
        return 1
    print(f"\nOpen {(root / '_build' / 'html' / 'index.html').as_uri()}")
    return 0


if __name__ == "__main__":
    sys.exit(build(Path(__file__).resolve().parents[2]))
