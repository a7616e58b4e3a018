"""Wheels for other systems: what is asked for, and what is refused."""

import subprocess
from pathlib import Path

import pytest

from press import wheelhouse


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--for", "amiga"], "amiga"),
        (["--for", "windows", "--pythons", "4.0"], "'4.0'; expected one such as 3.12"),
        (["--for", "windows", "--torch"], "leave out --for"),
    ],
)
def test_a_bad_option_is_named(arguments, said, capsys):
    with pytest.raises(SystemExit):
        wheelhouse.main(arguments)
    assert said in capsys.readouterr().err


def asked(monkeypatch, tmp_path, system, python) -> tuple[list[str], list[str]]:
    """Give pip's options and the pins that it would get."""
    calls = []

    def run(command, check):
        calls.append((command, Path(command[-1]).read_text("utf-8").splitlines()))

    monkeypatch.setattr(subprocess, "run", run)
    wheelhouse.for_system(tmp_path / "x.whl", system, python)
    return calls[0]


@pytest.mark.parametrize(
    ("system", "python", "has", "lacks"),
    [
        ("windows", "3.11", "pywinpty", "pexpect"),
        ("windows", "3.13", "pywinpty", "appnope"),
        ("macos-arm", "3.12", "appnope", "pywinpty"),
        ("linux", "3.12", "pexpect", "appnope"),
    ],
)
def test_another_system_gets_its_own_packages(monkeypatch, tmp_path, system, python, has, lacks):
    options, pins = asked(monkeypatch, tmp_path, system, python)
    names = [pin.partition("==")[0] for pin in pins]
    assert has in names
    assert lacks not in names
    assert len(names) == len(set(names)), "a pin for each version of Python is one too many"
    assert not any(";" in pin for pin in pins), "pip would evaluate it for this machine"
    assert options[options.index("--python-version") + 1] == python


@pytest.mark.nightly
@pytest.mark.parametrize("system", wheelhouse.FOREIGN)
def test_every_pin_has_a_wheel_for(system, tmp_path):
    """Without one, a student on that system would need a compiler."""
    wheelhouse.for_system(tmp_path / "x.whl", system, "3.13")
    assert len(list(tmp_path.glob("*.whl"))) > 100
