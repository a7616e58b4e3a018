"""Wheels for a room without a network: ``python -m press.wheelhouse [--torch]``.

Fills ``dist/wheelhouse`` with `rnn_helpers`, JupyterLab and all they need, in the versions that
``requirements.txt`` pins and for the Python and platform it runs on, and zips the folder for a USB
stick.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from press.classroom import DIST, ROOT, build_wheel, write_zip
from press.pins import NOTEBOOKS, pinned
from rnn_helpers.commands import run_program

STAMP = "contents.json"
README = """These wheels are for {tag}: this version of Python, this system, this processor.

START-HERE.html, in unfolded-classroom.zip, says how notebooks are installed from them. For another
version or system, run `make wheelhouse` there.
"""


def fill(folder: Path, torch: bool = False) -> None:
    """Collect the wheels a student notebook needs.

    Parameters
    ----------
    folder
        Where the wheels go. Wheels of an earlier run with the same requirements stay.
    torch
        Whether PyTorch goes with them (hundreds of megabytes).

    Raises
    ------
    subprocess.CalledProcessError
        If pip cannot find a pinned version for this platform.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("rnn_helpers-*.whl"):
        old.unlink()
    wheel = build_wheel(folder)
    stamp = folder / STAMP
    if stamp.is_file() and stamp.read_text("utf-8") == _contents(folder, torch):
        return
    for old in set(folder.glob("*.whl")) - {wheel}:
        old.unlink()
    own = f"{wheel}[torch]" if torch else str(wheel)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(folder)]
    with tempfile.TemporaryDirectory() as made:
        pins = Path(made, "requirements.txt")
        pins.write_text("\n".join(pinned(NOTEBOOKS)), "utf-8")
        constraint = ["--constraint", str(ROOT / "requirements.txt")]
        subprocess.run([*pip, *constraint, "-r", str(pins), own], check=True)
    stamp.write_text(_contents(folder, torch), "utf-8")


def _contents(folder: Path, torch: bool) -> str:
    """Describe the folder's contents and requirements; if they differ, collect the wheels again."""
    pins = hashlib.sha256()
    for name in ("requirements.txt", "pyproject.toml"):
        pins.update((ROOT / name).read_bytes())
    return json.dumps(
        {
            "python": sysconfig.get_python_version(),
            "platform": sysconfig.get_platform(),
            "packages": ["rnn_helpers", NOTEBOOKS, *(["torch"] if torch else [])],
            "requirements": pins.hexdigest(),
            "wheels": sorted(path.name for path in folder.glob("*.whl")),
        },
        indent=1,
    )


def main(arguments: list[str] | None = None) -> None:
    """Collect the wheels and zip them."""
    parser = argparse.ArgumentParser(prog="python -m press.wheelhouse", description=main.__doc__)
    parser.add_argument("--torch", action="store_true", help="with PyTorch (hundreds of megabytes)")
    torch = parser.parse_args(arguments).torch
    folder = DIST / "wheelhouse"
    try:
        fill(folder, torch)
    except subprocess.CalledProcessError as error:
        sys.exit(
            f"error: pip could not collect the wheels ({error.returncode}); its message is above"
        )
    tag = f"py{sysconfig.get_python_version()}-{sysconfig.get_platform()}"
    wheels = {f"wheelhouse/{path.name}": path for path in folder.glob("*.whl")}
    files = wheels | {"wheelhouse/README.txt": README.format(tag=tag).encode()}
    archive = write_zip(DIST / f"unfolded-wheelhouse-{tag}.zip", files, compress=False)
    print(f"{len(wheels)} wheels for {tag}, {archive.stat().st_size / 1e6:.1f} MB: {archive}")


if __name__ == "__main__":
    run_program(main)
