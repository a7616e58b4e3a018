"""Wheels for a room without a network: ``python -m press.wheelhouse [--for all] [--torch]``.

Fills a folder in ``dist`` with `rnn_helpers`, JupyterLab and all they need, in the versions that
``requirements.txt`` pins, and zips it for a USB stick: for the Python and the system that it runs
on, or for other systems, each in a folder of its own.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

from packaging.requirements import Requirement

from press.classroom import DIST, ROOT, build_wheel, write_zip
from press.pins import NOTEBOOKS, SYSTEMS, pinned
from rnn_helpers.commands import run_program

STAMP = "contents.json"
HERE = f"py{sysconfig.get_python_version()}-{sysconfig.get_platform()}"
LINUX, MAC, WINDOWS = SYSTEMS
# The platforms whose wheels a system takes, as pip names them, and its markers.
FOREIGN = {
    "linux": (
        ("manylinux_2_28_x86_64", "manylinux_2_26_x86_64", "manylinux_2_24_x86_64",
         "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
        LINUX | {"platform_machine": "x86_64"},
    ),
    "macos-arm": (("macosx_14_0_arm64",), MAC | {"platform_machine": "arm64"}),
    "macos-intel": (("macosx_14_0_x86_64",), MAC | {"platform_machine": "x86_64"}),
    "windows": (("win_amd64",), WINDOWS | {"platform_machine": "AMD64"}),
}  # fmt: skip
VERSION = re.compile(r"3\.\d+")
PIP = [sys.executable, "-m", "pip"]
README = """These wheels are for {tag}: this version of Python, this system, this processor.

START-HERE.html, in unfolded-classroom.zip, says how notebooks are installed from them. For other
systems, run `make wheelhouse FOR=all`.
"""


def fill(folder: Path, tag: str, collect: Callable[[Path], None]) -> None:
    """Collect wheels, unless an earlier run with the same requirements has left them.

    Parameters
    ----------
    folder
        Where the wheels go, with that of `rnn_helpers`.
    tag
        Whom they are for.
    collect
        Puts all others next to the wheel of `rnn_helpers`, which it is given.

    Raises
    ------
    subprocess.CalledProcessError
        If pip cannot find a pinned version for this system.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("rnn_helpers-*.whl"):
        old.unlink()
    wheel = build_wheel(folder)
    stamp = folder / STAMP
    if stamp.is_file() and stamp.read_text("utf-8") == _contents(folder, tag):
        return
    for old in set(folder.glob("*.whl")) - {wheel}:
        old.unlink()
    collect(wheel)
    stamp.write_text(_contents(folder, tag), "utf-8")


def for_here(wheel: Path, torch: bool = False) -> None:
    """Collect the wheels for this Python and this system, next to the package's own.

    Parameters
    ----------
    wheel
        The package's wheel.
    torch
        Whether PyTorch goes with them (hundreds of megabytes).
    """
    own = f"{wheel}[torch]" if torch else str(wheel)
    constraint = ["--constraint", str(ROOT / "requirements.txt")]
    _pip("wheel", "--wheel-dir", wheel.parent, *constraint, own, lines=pinned(NOTEBOOKS))


def for_system(wheel: Path, system: str, python: str) -> None:
    """Collect the wheels for another system, next to the package's own.

    Parameters
    ----------
    wheel
        The package's wheel.
    system
        A key of `FOREIGN`.
    python
        A version such as ``"3.12"``.
    """
    platforms, markers = FOREIGN[system]
    markers = markers | {"python_version": python, "python_full_version": f"{python}.0"}
    lines = []
    for pin in map(Requirement, pinned(NOTEBOOKS)):
        if pin.marker is None or pin.marker.evaluate(markers):
            pin.marker = None  # pip would look at this machine's
            lines.append(str(pin))
    options = [
        "--no-deps",
        "--only-binary=:all:",
        "--implementation=cp",
        "--python-version",
        python,
    ]
    options += [f"--platform={platform}" for platform in platforms]
    _pip("download", "--dest", wheel.parent, *options, lines=lines)


def _pip(command: str, *options: str | Path, lines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as made:
        pins = Path(made, "requirements.txt")
        pins.write_text("\n".join(lines), "utf-8")
        subprocess.run([*PIP, command, "--quiet", *map(str, options), "-r", str(pins)], check=True)


def _contents(folder: Path, tag: str) -> str:
    """Describe the folder's contents and requirements; if they differ, it is filled again."""
    pins = hashlib.sha256()
    for name in ("requirements.txt", "pyproject.toml"):
        pins.update((ROOT / name).read_bytes())
    return json.dumps(
        {
            "for": tag,
            "requirements": pins.hexdigest(),
            "wheels": sorted(path.name for path in folder.glob("*.whl")),
        },
        indent=1,
    )


def _version(text: str) -> str:
    if not VERSION.fullmatch(text):
        raise argparse.ArgumentTypeError(f"version is {text!r}; expected one such as 3.12")
    return text


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m press.wheelhouse", description=main.__doc__)
    parser.add_argument(
        "--for",
        dest="systems",
        nargs="+",
        choices=[*FOREIGN, "all"],
        default=[],
        help="other systems; without this, the one it runs on",
    )
    parser.add_argument(
        "--pythons",
        nargs="+",
        type=_version,
        default=[sysconfig.get_python_version()],
        help="versions of Python for other systems, such as 3.11 3.13",
    )
    parser.add_argument(
        "--torch",
        action="store_true",
        help="with PyTorch (hundreds of megabytes), for this system alone",
    )
    options = parser.parse_args(arguments)
    if options.torch and options.systems:
        parser.error("--torch collects for this system alone; leave out --for")
    if "all" in options.systems:
        options.systems = list(FOREIGN)
    return options


def main(arguments: list[str] | None = None) -> None:
    """Collect the wheels and zip them."""
    options = _options(arguments)
    jobs = [
        (f"py{python}-{system}", lambda wheel, s=system, p=python: for_system(wheel, s, p))
        for system in options.systems
        for python in options.pythons
    ]
    here = f"{HERE} with PyTorch" if options.torch else HERE
    for tag, collect in jobs or [(here, lambda wheel: for_here(wheel, options.torch))]:
        folder = DIST / (f"wheelhouse-{tag}" if jobs else "wheelhouse")
        try:
            fill(folder, tag, collect)
        except subprocess.CalledProcessError as error:
            sys.exit(
                f"error: pip could not collect the wheels for {tag} ({error.returncode}); its "
                "message is above"
            )
        wheels = {f"wheelhouse/{path.name}": path for path in folder.glob("*.whl")}
        files = wheels | {"wheelhouse/README.txt": README.format(tag=tag).encode()}
        name = f"unfolded-wheelhouse-{tag.replace(' ', '-')}.zip"
        archive = write_zip(DIST / name, files, compress=False)
        print(f"{len(wheels)} wheels for {tag}, {archive.stat().st_size / 1e6:.1f} MB: {archive}")


if __name__ == "__main__":
    run_program(main)
