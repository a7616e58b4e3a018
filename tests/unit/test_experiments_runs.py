"""A full run resumes after an interruption, and its rows are stored when a block is complete."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from rnn_helpers.experiments import load, runs, schema, store
from rnn_helpers.experiments.__main__ import main

PLACE = "chapter_02/slow"
SCRIPT = '''
import sys, time
from pathlib import Path

from rnn_helpers.experiments import Verdict, experiment, runs, schema
from rnn_helpers.experiments.__main__ import main
from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.words import Estimate

HERE = Path(sys.argv[1])
schema.CLAIMS, runs.RUNS = HERE, HERE / "runs"


class Slow(Contest):
    columns = ("name",)

    def cells(self, config):
        return [(name,) for name in "abcd"]

    def train(self, config, cell, settings, seeds):
        while (HERE / "hold").exists() and len([*HERE.glob("runs/slow/*.json")]) == 3:
            time.sleep(0.01)
        with open(HERE / "trained", "a") as file:
            print(cell, settings, seeds, file=file)
        return settings

    def score(self, config, cell, made, seeds):
        return [1 / (3 + seed) for seed in seeds]


def run(config, seeds):
    """Do nothing, in several trainings."""
    return Slow().run(config, seeds)


run.__module__ = "claims.chapter_02.slow"
experiment(
    claim="It takes time.",
    source="patience",
    quick={"seeds": 2},
    full={"seeds": 10, "etas": [0.1, 1.0], "first": 2, "choosing": 2},
    numbers=lambda rows: {"right": Estimate.mean(row["right"] for row in rows)},
    headline=("right", "share"),
    finding="It took time.",
    verdict=Verdict(holds=(lambda n: True, "Holds.")),
)(run)
sys.exit(main(sys.argv[2:]))
'''


def slow(script, folder, *arguments):
    """Start a run of the slow experiment, whose files are in a folder of its own."""
    (folder / PLACE).mkdir(parents=True, exist_ok=True)
    return subprocess.Popen(
        [sys.executable, script, folder, "run", "slow", *arguments], stdout=subprocess.DEVNULL
    )


def stored(folder):
    """Read a result without the time that it took."""
    parts = json.loads((folder / PLACE / "result.json").read_text("utf-8"))
    del parts["digest"]
    for block in parts["blocks"]:
        del block["seconds"]
    return parts


def trained(folder):
    return (folder / "trained").read_text("utf-8").splitlines()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows has no SIGKILL")
def test_a_killed_run_resumes_and_stores_the_same_file(tmp_path):
    script, killed, whole = (tmp_path / name for name in ("slow.py", "killed", "whole"))
    script.write_text(SCRIPT, "utf-8")
    killed.mkdir()
    (killed / "hold").touch()  # after three trainings
    run = slow(script, killed)
    while len([*killed.glob("runs/slow/*.json")]) < 3:
        assert run.poll() is None
        time.sleep(0.02)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    (killed / "hold").unlink()
    assert [*(killed / PLACE).iterdir()] == []

    for folder in (killed, whole):
        assert slow(script, folder).wait() == 0
    assert stored(killed) == stored(whole)
    assert len(trained(whole)) == 8
    assert len(trained(killed)) <= 9  # the one that was interrupted is repeated
    assert not (killed / "runs" / "slow").exists()

    assert slow(script, killed, "--block", "2").wait() == 0
    both, one = stored(killed), stored(whole)
    assert [block["seeds"] for block in both["blocks"]] == [[*range(10)], [*range(10, 20)]]
    assert both["rows"][: len(one["rows"])] == one["rows"]
    assert slow(script, killed, "--block", "2").wait() == 2


@pytest.mark.parametrize(("next_block", "kept"), [(2, True), (None, False)])
def test_a_second_block_that_is_due_finds_the_trainings_for_the_choice(
    next_block, kept, monkeypatch, tmp_path
):
    monkeypatch.setattr(runs, "RUNS", tmp_path)
    monkeypatch.setattr(runs, "run", lambda entry, folder: folder.mkdir())
    monkeypatch.setattr(runs, "save", lambda result: tmp_path / "zero-init.json")
    monkeypatch.setattr(runs, "due", lambda slug: next_block)
    runs.complete("zero-init")
    assert (tmp_path / "zero-init").exists() == kept


@pytest.fixture
def three(monkeypatch, tmp_path):
    """Three experiments: one is stale, one has no result, and one needs nothing."""
    entries = {slug: schema.find(slug) for slug in ("robust-bit", "zero-init", "accumulate-forget")}
    monkeypatch.setattr(schema, "_REGISTRY", entries)
    monkeypatch.setattr(schema, "CLAIMS", tmp_path)
    for slug, code in (("robust-bit", "other"), ("accumulate-forget", None)):
        entry = entries[slug]
        entry.path.parent.mkdir(parents=True)
        block = store.Block([*range(10)], 5.0, {}, "2026-11-27")
        store.save(store.Result(entry, entry.full, [block], [{}], code or entry.fingerprint))
    return entries


def test_a_block_is_due_if_there_is_no_result_or_a_stale_one(three):
    assert {slug: runs.due(slug) for slug in three} == {
        "robust-bit": 1,
        "zero-init": 1,
        "accumulate-forget": None,
    }


def test_all_that_are_due_are_run_and_failures_are_named(three, monkeypatch, capsys):
    asked = []

    def no_process(command, encoding, env, **_):
        assert encoding == env["PYTHONIOENCODING"] == "utf-8"  # also on Windows
        asked.append(command[-4:])
        failed = "zero-init" in command
        return subprocess.CompletedProcess(command, int(failed), "", "no\nmemory" * failed)

    monkeypatch.setattr(runs.subprocess, "run", no_process)
    assert main(["run", "--pending", "1"]) == 1
    assert asked == [
        ["run", slug, "--block", "1"] for slug in ("zero-init", "robust-bit")
    ]  # the one that never ran comes first
    said = capsys.readouterr().out
    assert "zero-init, block 1: memory" in said
    assert "robust-bit, block 1: stored" in said
    assert "2 were due" in said
    assert main(["run", "--pending", "0"]) == 2


def test_a_second_block_is_due_if_a_verdict_is_narrow(monkeypatch):
    def due(result, narrow=True):
        monkeypatch.setattr(runs, "load", lambda slug: result)
        monkeypatch.setattr(runs, "margin", lambda *_: SimpleNamespace(narrow=narrow))
        return runs.due(result.slug)

    stored = load("tensor-node")
    first = replace(stored, blocks=stored.blocks[:1])
    assert due(first) == 2
    assert due(first, narrow=False) is None
    assert due(replace(first, blocks=2 * first.blocks)) is None
    assert due(replace(first, rows=[{"right": 1}])) is None  # rows that don't name their seeds
