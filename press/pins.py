"""Pins of the packages that students install: a selection from ``requirements.txt``."""

import re
import tomllib
from importlib import metadata
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement

from press.slides import ROOT

PROJECT = ROOT / "pyproject.toml"
PINS = ROOT / "requirements.txt"
NOTEBOOKS = "jupyterlab"  # students run the notebooks with it
SYSTEMS = (
    {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"},
    {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"},
    {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"},
)
VERSIONS = ({}, {"python_version": "3.11", "python_full_version": "3.11.0"})
ENVIRONMENTS = [system | version for system, version in product(SYSTEMS, VERSIONS)]


def pinned(*packages: str, pins: Path = PINS) -> list[str]:
    """List the pins of the book's package, without its extras (PyTorch is one).

    The list serves every system and version of Python. So it can be installed with ``--no-deps``,
    and then pip looks up no other name than those on the list.

    Parameters
    ----------
    packages
        Further packages, whose own dependencies are listed, too.
    pins
        The requirements to select from.
    """
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    left = [_wanted(Requirement(line)) for line in (*project["dependencies"], *packages)]
    needed = set(left)
    while left:
        for other in _requires(*left.pop()):
            if other not in needed:
                needed.add(other)
                left.append(other)
    names = {name for name, _ in needed}
    found = [line for line in pins.read_text("utf-8").splitlines() if line and line[0] != "#"]
    return [line for line in found if _normal(Requirement(line).name) in names]


def _requires(name: str, extras: frozenset[str]) -> list[tuple[str, frozenset[str]]]:
    """List a package's dependencies on any system; an empty list if it isn't installed here."""
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    return [_wanted(other) for other in map(Requirement, lines) if _applies(other, extras)]


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    return requirement.marker is None or any(
        requirement.marker.evaluate(environment | {"extra": extra})
        for environment in ENVIRONMENTS
        for extra in ("", *extras)
    )


def _wanted(requirement: Requirement) -> tuple[str, frozenset[str]]:
    return _normal(requirement.name), frozenset(requirement.extras)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
