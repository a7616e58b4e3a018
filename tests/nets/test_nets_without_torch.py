"""Where PyTorch is not installed: the package can be imported, and what needs it says so."""

import subprocess
import sys

WITHOUT = "import sys; sys.modules['torch'] = None; from rnn_helpers import nets; "


def run(code):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code], capture_output=True, text=True, check=False
    )


def test_nets_can_be_imported_and_say_what_is_missing_when_they_are_used():
    used = run("nets.Gated")
    assert "nets.Gated needs PyTorch, which is not installed" in used.stderr
    taken = run("from rnn_helpers.nets import to_torch")
    assert "nets.to_torch needs PyTorch, which is not installed" in taken.stderr


def test_what_is_not_there_with_torch_is_not_there_without():
    assert "AttributeError" in run("nets.Gatted").stderr
    assert not run("assert not hasattr(nets, 'Gatted')").returncode
