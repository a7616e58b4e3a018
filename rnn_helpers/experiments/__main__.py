"""The experiments at the command line: ``python -m rnn_helpers.experiments list | run SLUG``."""

import argparse
import sys

from rnn_helpers.experiments import experiments, find, load, save


def _list() -> None:
    """Print each experiment, its claim, and whether its stored result belongs to its code."""
    for slug, entry in experiments().items():
        try:
            stored = load(slug)
            state = stored.verdict if stored.hash == entry.fingerprint else "stale: run it again"
        except ValueError:
            state = "not run yet"
        print(f"{slug}  (chapter {entry.chapter}, {state})\n    {entry.claim}")


def _run(slug: str, quick: bool) -> None:
    """Run one experiment and print its table; store the result of a full run."""
    result = find(slug).run(quick)
    print(result.table(), result, sep="\n\n")
    if not quick:
        print(f"\nstored in {save(result).name}")


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says.

    Returns
    -------
    int
        0, or 2 where the slug names no experiment.
    """
    parser = argparse.ArgumentParser(prog="python -m rnn_helpers.experiments")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="name the experiments and their verdicts")
    run = commands.add_parser("run", help="run one and store its result")
    run.add_argument("slug")
    run.add_argument("--quick", action="store_true", help="take seconds, store nothing")
    options = parser.parse_args(arguments)
    try:
        _list() if options.command == "list" else _run(options.slug, options.quick)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
