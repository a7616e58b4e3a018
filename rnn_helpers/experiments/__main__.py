"""The experiments at the command line: ``python -m rnn_helpers.experiments list|run|rehash``."""

import argparse
import sys

from rnn_helpers.experiments import experiments, find, load, save
from rnn_helpers.experiments.rehash import rehash
from rnn_helpers.experiments.store import run, stored_slugs


def _list() -> None:
    """Print each experiment, its claim, and its verdict or why it has none."""
    for slug, entry in experiments().items():
        print(f"{slug}  (chapter {entry.chapter})\n    {entry.claim}\n    {_state(slug)}")


def _state(slug: str) -> str:
    """Say what became of an experiment: its verdict, or why there is none."""
    if slug not in stored_slugs():
        return "not run yet"
    try:
        stored = load(slug)
        return "stale: run it again, or rehash" if stored.stale else stored.verdict
    except ValueError as error:
        return str(error)


def _run(slug: str, quick: bool) -> None:
    """Run one experiment and print its table; store the result of a full run."""
    result = run(find(slug), quick)
    print(result.table(), result, sep="\n\n")
    if not quick:
        print(f"\nstored in {save(result).name}")


def _rehash(slugs: list[str], since: str | None) -> int:
    """Keep what may be kept, all that are stale if none is named; 1 if some may not."""
    stale = [slug for slug in slugs or sorted(stored_slugs()) if load(slug).stale]
    refused = rehash(stale, since)
    for slug in stale:
        print(f"{slug}: {refused[slug] or 'kept, the quick run is the same to the bit'}")
    print(f"{len(stale)} stale, {sum(map(bool, refused.values()))} not kept")
    return int(any(refused.values()))


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says.

    Returns
    -------
    int
        0, or 1 where a result cannot be kept, or 2 where a slug names no experiment.
    """
    parser = argparse.ArgumentParser(prog="python -m rnn_helpers.experiments")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="name the experiments and their verdicts")
    run = commands.add_parser("run", help="run one and store its result")
    run.add_argument("slug")
    run.add_argument("--quick", action="store_true", help="take seconds, store nothing")
    again = commands.add_parser(
        "rehash", help="keep stale results whose quick run is the same to the bit"
    )
    again.add_argument("slugs", nargs="*", help="all that are stale if left out")
    again.add_argument("--since", help="the commit whose code made the results")
    options = parser.parse_args(arguments)
    try:
        if options.command == "rehash":
            return _rehash(options.slugs, options.since)
        _list() if options.command == "list" else _run(options.slug, options.quick)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
