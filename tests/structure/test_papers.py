"""Promises to others: names that stay, licenses, the citation, and the forms for reports."""

import re
import tomllib
from dataclasses import replace
from types import SimpleNamespace

import pytest
import yaml
from books import NOTEBOOKS, ROOT
from jupyter_book.config import get_final_config
from promises import lost, names, promised, untagged

from press import _offer_reports
from press.citation import Citation
from press.gallery import figures
from rnn_helpers.checks import exercises
from rnn_helpers.experiments.archived import archived_slugs
from rnn_helpers.experiments.store import stored_slugs

# Types of files that only others made. All JSON is ours, except tasks/dates.json.
FOREIGN = {".gz", ".npz", ".csv", ".zip", ".woff", ".woff2", ".ttf", ".otf"}
LICENSE = (ROOT / "LICENSE").read_text("utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")


def foreign():
    """Return the files in the package and the press that others made."""
    package, press = ROOT / "rnn_helpers", ROOT / "press"
    ours = {"still.js", "printed.js"}  # bundled from explorables/still and the figure answer
    files = [*package.rglob("*"), *press.rglob("*")]
    found = [path for path in files if path.suffix in FOREIGN]
    found.append(package / "tasks/dates.json")
    vendored = (press / "vendor").rglob("*")
    found += [path for path in vendored if path.suffix in {".js", ".css", ".html"}]
    return [path for path in found if path.name not in ours and "__pycache__" not in path.parts]


@pytest.mark.parametrize("kind", promised())
def test_names_that_a_released_version_had_are_kept(kind):
    assert lost({kind: promised()[kind]}, names()) == []


@pytest.mark.parametrize("kind", names())
def test_every_published_name_is_promised(kind):
    added = lost({kind: names()[kind]}, promised())
    assert added == [], "run `.venv/bin/python tests/promises.py`"


def test_a_name_that_disappears_is_noticed():
    before = {"states": ["bptt.loss", "bptt.loss:every"]}
    assert lost(before, {"states": ["bptt.loss"]}) == ["states: bptt.loss:every"]


def test_each_file_from_others_is_in_our_license_and_has_its_own_beside_it():
    assert len(foreign()) > 20
    for path in foreign():
        parents = [parent for parent in path.parents if ROOT in parent.parent.parents]
        places = [path, *parents]
        assert any(str(place.relative_to(ROOT)) in LICENSE for place in places), path
        assert any(list(parent.glob("*LICENSE*")) for parent in parents), path


def test_the_citation_is_of_this_version_and_names_no_person():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert citation["version"] == project["version"]
    assert citation["authors"] == [{"name": "The Unfolded authors"}]
    assert f"## {project['version']}, {citation['date-released']}" in CHANGELOG


def test_the_changelogs_counts_are_right():
    """The newest counts come first."""
    counts = {
        r"(\d+) interactive figures": len(figures()),
        r"(\d+) exercises": len(exercises()),
        r"ledger of (\d+) experiments": len(stored_slugs() | archived_slugs()),
        r"(\d+) chapters": len(NOTEBOOKS),
    }
    for words, count in counts.items():
        assert int(re.search(words, CHANGELOG)[1]) == count, words


def test_a_version_without_a_tag_is_listed():
    changelog = "## Unreleased\n\n## 1.1.0, 2027-01-01\n\n- For 1.0.0.\n\n## 1.0.0, 2026-11-27\n"
    assert untagged(changelog, ["v1.0.0"]) == ["1.1.0"]
    assert untagged(changelog, ["v1.0.0", "v1.1.0"]) == []


@pytest.mark.parametrize("path", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")))
def test_a_form_for_reports_has_the_parts_that_github_requires(path):
    form = yaml.safe_load(path.read_text("utf-8"))
    assert {"name", "description", "body"} <= set(form)
    ids = [part["id"] for part in form["body"]]
    assert len(ids) == len(set(ids))
    assert all(part["attributes"]["label"] for part in form["body"])
    assert {part["type"] for part in form["body"]} <= {"input", "textarea"}


def test_pages_state_that_they_collect_no_data():
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    assert "collect nothing about you" in settings["html"]["extra_footer"]


def footer(folder, repository):
    """Return the footer of the pages of a book with this repository in its settings, if any."""
    ours = {"html": {"extra_footer": "<p>A</p>"}} | repository
    (folder / "_config.yml").write_text(yaml.safe_dump(ours), "utf-8")
    made, _ = get_final_config(user_yaml=ours, cli_config={"latex_individualpages": False})
    config = SimpleNamespace(html_theme_options=made["html_theme_options"])
    _offer_reports(SimpleNamespace(srcdir=folder), config)
    return config.html_theme_options["extra_footer"]


@pytest.mark.parametrize("url", ["https://github.com/o/n", "https://github.com/o/n/"])
def test_a_mistake_can_be_reported_once_a_repository_is_named(tmp_path, url):
    report = '<p><a href="https://github.com/o/n/issues/new/choose">Report a mistake</a></p>'
    assert footer(tmp_path, {"repository": {"url": url}}) == "<p>A</p>" + report


def test_without_a_repository_mistakes_are_reported_by_mail_if_there_is_an_address(
    tmp_path, monkeypatch
):
    assert footer(tmp_path, {}) == "<p>A</p>"
    cited = replace(Citation.read(), email="a@b.org")
    monkeypatch.setattr(Citation, "read", lambda: cited)
    assert footer(tmp_path, {}) == '<p>A</p><p><a href="mailto:a@b.org">Report a mistake</a></p>'
