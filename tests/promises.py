"""The names that links and notebooks of readers contain, and that later versions have to keep.

A name is promised as soon as it's published, and the site is published from the branch ``main``. So
``python tests/promises.py`` adds the names that are new to ``promises.json``. It never removes one.
It also says which versions of the changelog have no tag yet.
"""

import json
import re
import subprocess
from pathlib import Path

from books import ROOT, table_of_contents

from rnn_helpers.checks import exercises
from rnn_helpers.experiments.archived import archived_slugs
from rnn_helpers.experiments.store import stored_slugs
from rnn_helpers.explore import manifest

FILE = Path(__file__).with_suffix(".json")


def names():
    """List the present names by kind, including each figure's controls and their options."""
    states = []
    for name, meta in manifest().items():
        for key, spec in meta["controls"].items():
            options = spec.get("options", ())
            values = [one["value"] if isinstance(one, dict) else one for one in options]
            states += [f"{name}.{key}", *(f"{name}.{key}:{value}" for value in values)]
    return {
        "pages": sorted(table_of_contents()),
        "figures": sorted(manifest()),
        "states": sorted(states),
        "claims": sorted(stored_slugs() | archived_slugs()),
        "exercises": sorted(exercises()),
    }


def promised():
    """Return the names of all released versions, by kind."""
    return json.loads(FILE.read_text("utf-8"))


def lost(before, now):
    """List the names that have disappeared."""
    return [f"{kind}: {name}" for kind in before for name in before[kind] if name not in now[kind]]


def untagged(changelog, tags):
    """List the versions of a changelog that have no tag."""
    versions = re.findall(r"^## (\d+\.\d+\.\d+)\b", changelog, re.M)
    return [version for version in versions if f"v{version}" not in tags]


if __name__ == "__main__":
    kept = promised() if FILE.exists() else {}
    grown = {kind: sorted({*found, *kept.get(kind, ())}) for kind, found in names().items()}
    FILE.write_text(json.dumps(grown, ensure_ascii=False, indent=1) + "\n", "utf-8")
    tags = subprocess.run(["git", "tag"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    for version in untagged((ROOT / "CHANGELOG.md").read_text("utf-8"), tags):
        print(f'tag the commit of version {version}: git tag -a v{version} -m "Version {version}"')
