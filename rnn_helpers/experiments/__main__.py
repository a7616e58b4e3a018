"""The experiments at the command line: ``python -m rnn_helpers.experiments list|run|rehash``."""

import argparse
import sys

from rnn_helpers.commands import run_program
from rnn_helpers.experiments import experiments, find, load
from rnn_helpers.experiments.archived import archived_slugs
from rnn_helpers.experiments.rehash import rehash
from rnn_helpers.experiments.runs import complete, complete_all
from rnn_helpers.experiments.store import run, stored_slugs


def _list() -> None:
    """Print each experiment with its claim and its state; the archived ones come last."""
    archived = (load(slug).experiment for slug in sorted(archived_slugs()))
    for entry in (*experiments().values(), *archived):
        print(f"{entry.slug}  (chapter {entry.chapter})\n    {entry.claim}")
        print(f"    {_state(entry.slug)}")


def _state(slug: str) -> str:
    """Return an experiment's verdict, or the reason why it has none."""
    if slug in archived_slugs():
        stored = load(slug)
        return f"{stored.verdict} (archived on {stored.experiment.date})"
    if slug not in stored_slugs():
        return "not run yet"
    try:
        stored = load(slug)
        return "stale: run it again, or rehash" if stored.stale else stored.verdict
    except ValueError as error:
        return str(error)


def _run(slug: str, quick: bool, block: int) -> None:
    """Run one experiment and print its table; store the result of a full run."""
    result, path = (run(find(slug), quick), None) if quick else complete(slug, block)
    print(result.table(), result, sep="\n\n")
    if path:
        print(f"\nstored in {path}")


def _run_pending(processes: int) -> int:
    """Run every experiment that is due, and return 1 if one of them failed."""
    ended = []
    for line in complete_all(processes):
        print(line, flush=True)
        ended.append(line.endswith(": stored"))
    print(f"{len(ended)} were due")
    return int(not all(ended))


def _rehash(slugs: list[str], since: str | None) -> int:
    """Keep the stale results that may be kept, and return 1 if some may not; see `rehash`."""
    stale = [slug for slug in slugs or sorted(stored_slugs()) if load(slug).stale]
    refused = rehash(stale, since)
    for slug in stale:
        print(f"{slug}: {refused[slug] or 'kept, the quick run is the same to the bit'}")
    print(f"{len(stale)} stale, {sum(map(bool, refused.values()))} not kept")
    return int(any(refused.values()))


def main(arguments: list[str] | None = None) -> int:
    """Run the command that the arguments name.

    Returns
    -------
    int
        0; 1 if a run failed or a result can't be kept; 2 if an argument is wrong.
    """
    parser = argparse.ArgumentParser(prog="python -m rnn_helpers.experiments")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser(
        "list", help="list the experiments with their verdicts, the archived ones last"
    )
    one = commands.add_parser(
        "run", help="run an experiment and store its result; an interrupted run resumes"
    )
    what = one.add_mutually_exclusive_group(required=True)
    what.add_argument("slug", nargs="?")
    what.add_argument(
        "--pending", type=int, metavar="N", help="run all experiments that are due, N at a time"
    )
    one.add_argument(
        "--quick", action="store_true", help="use settings that take seconds, and store nothing"
    )
    one.add_argument("--block", type=int, default=1, help="2 adds new seeds to a stored result")
    again = commands.add_parser(
        "rehash", help="keep stale results whose quick run is the same to the bit"
    )
    again.add_argument(
        "slugs", nargs="*", help="experiments; by default, all whose results are stale"
    )
    again.add_argument("--since", help="the commit whose code made the results")
    options = parser.parse_args(arguments)
    try:
        if options.command == "rehash":
            return _rehash(options.slugs, options.since)
        if options.command == "list":
            _list()
        elif options.pending is not None:
            return _run_pending(options.pending)
        else:
            _run(options.slug, options.quick, options.block)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    run_program(main)
