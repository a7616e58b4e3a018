"""Without PyTorch, the package imports, and an error names PyTorch when it is needed."""

import subprocess
import sys

WITHOUT = "import sys; sys.modules['torch'] = None; from rnn_helpers import nets; "


def run(code):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code], capture_output=True, text=True, check=False
    )


def test_nets_import_without_torch_and_name_it_when_used():
    used = run("nets.Gated")
    assert "nets.Gated needs PyTorch, which is not installed" in used.stderr
    taken = run("from rnn_helpers.nets import to_torch")
    assert "nets.to_torch needs PyTorch, which is not installed" in taken.stderr


def test_unknown_names_fail_with_and_without_torch():
    assert "AttributeError" in run("nets.Gatted").stderr
    assert not run("assert not hasattr(nets, 'Gatted')").returncode
