"""Pages about claims: an overview that counts the verdicts, and a page for each claim.

``{claims-ledger}`` writes the overview, and ``{claim} SLUG`` writes the page of a claim. Both use
only stored results.
"""

from __future__ import annotations

import io
import math
import os
import re
import zipfile
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from press.directives import details, link_to_cell
from press.edition import left_out
from press.fresh import CODE, note_mark
from press.generated import add_pages
from press.renderers import plot, result_node
from rnn_helpers.experiments.selection import FIXED, PROTOCOL
from rnn_helpers.experiments.tables import cells, separated

CLAIMS = "book/claims"  # the overview; the claims' own pages are below it
IMPORTED = re.compile(r"\brnn_helpers\.claims\.(chapter_\d\d\.\w+)")
KINDS = "holds", "holds in part", "does not hold", "undecided"
LABELS = {"chapter": "Chapter", "kind": "Verdict"}
SCRIPT = "claims.js"  # filters the overview
READ = (
    "**Verdicts.** A verdict is about the whole claim. The claim *holds* in the case that its "
    "source mainly means. It *holds in part*: the verdict names the part, which is a case that the "
    "source means as well. It *does not hold*: we saw otherwise, or it is true only if we correct "
    "it or restrict it to a case that the source doesn't mean. Or it is *undecided*: the intervals "
    "are too wide to tell, or an assumption of the claim was out of reach at the size of these "
    "experiments."
)
ARCHIVED = (
    "We no longer run these experiments. Each keeps its page with the verdict, the figures and all "
    "rows, and the page says where its code is."
)
CHOSEN = {
    PROTOCOL: "By our shared protocol: each method has the setting, such as a learning rate, that "
    "worked best on other seeds and other data than those of the result. Methods that are compared "
    "tried equally many settings, except where one of them had fewer and tried them all.",
    FIXED: "All its settings were fixed before the run.",
}


def results() -> dict:
    """Return the results of the claims that aren't archived, by slug, chapter by chapter."""
    from rnn_helpers.experiments import experiments, load
    from rnn_helpers.experiments.store import stored_slugs

    stored = stored_slugs()
    return {slug: load(slug) for slug in experiments() if slug in stored}


def archived() -> dict:
    """Return the results of the archived claims, by slug, chapter by chapter."""
    from rnn_helpers.experiments import load
    from rnn_helpers.experiments.archived import archived_slugs

    found = {slug: load(slug) for slug in sorted(archived_slugs())}
    return dict(sorted(found.items(), key=lambda item: item[1].chapter))


def titles(book: Path) -> dict[str, str]:
    """Return the title of the page of each claim in the edition, which is the claim itself."""
    every = results() | archived()
    return {slug: result.claim for slug, result in in_edition(every, book).items()}


def chapter_of(slug: str) -> str:
    """Return the two digits of a claim's chapter."""
    from rnn_helpers.experiments import load

    return load(slug).chapter


def in_edition(stored: dict, book: Path) -> dict:
    """Return the results without those of chapters that the edition doesn't have."""
    missing = {path.name[:2] for path in left_out(book)}
    return {slug: result for slug, result in stored.items() if result.chapter not in missing}


class ClaimsLedger(SphinxDirective):
    """``{claims-ledger}``: a line for each claim, with its verdict and a link to its page."""

    def run(self) -> list[nodes.Node]:
        """Return counts, a key, filters, a line for each claim, and the archived ones, folded."""
        from rnn_helpers.experiments.archived import ARCHIVE
        from rnn_helpers.experiments.schema import CLAIMS as FOLDER

        stored = [*FOLDER.rglob("result.json"), *ARCHIVE.glob("*.json")]
        for path in [*stored, *FOLDER.rglob("__init__.py"), *ARCHIVE.parent.rglob("*.py")]:
            self.env.note_dependency(str(path))
        note_mark(self.env, CODE)
        book = Path(self.env.srcdir, "book")
        living, past = (in_edition(stored, book) for stored in (results(), archived()))
        if not living:
            return [self._archive(past) if past else nodes.paragraph(text="No result is stored.")]
        kinds = [result.summary.kind for result in living.values()]
        counts = {kind: kinds.count(kind) for kind in KINDS}
        counted = nodes.paragraph(classes=["verdicts"])
        for kind, count in counts.items():
            counted += [badge(f"{kind}: {count}", kind), nodes.Text(" ")]
        key = details(summary="How to read a verdict")
        for text in (READ, _comparisons(living), _selections(living)):
            key += self.parse_text_to_nodes(text)
        ledger = nodes.container(classes=["claims-ledger"])
        ledger += [counted, nodes.paragraph(text=_counted(counts)), key]
        ledger += nodes.raw("", _filters({**living, **past}.values()), format="html")
        ledger += self._lines(living)
        if past:
            ledger += self._archive(past)
        return [ledger]

    def _archive(self, past: dict) -> details:
        """Return the archived claims, which the reader can unfold."""
        archive = details(summary=f"{len(past)} archived claims")
        archive += self.parse_text_to_nodes(ARCHIVED)
        archive += self._lines(past)
        return archive

    def _lines(self, stored: dict) -> nodes.bullet_list:
        """Return a line for each claim, with its slug as the anchor that links lead to."""
        lines = nodes.bullet_list(classes=["claim-lines"])
        for slug, result in stored.items():
            kind = result.summary.kind
            classes = f"chapter-{result.chapter}", f"kind-{kind.replace(' ', '-')}"
            words = getattr(result.experiment, "short", result.claim)
            line = nodes.paragraph(classes=["claim-line"])
            line += [nodes.inline(text=str(int(result.chapter)), classes=["claim-chapter"])]
            line += [self._link(slug, words), nodes.Text(" "), badge(kind.capitalize(), kind)]
            if condition := condition_of(result.verdict):
                line += [nodes.Text(" "), nodes.inline(text=condition, classes=["claim-condition"])]
            lines += nodes.list_item("", line, ids=[slug], classes=[*classes])
        return lines

    def _link(self, slug: str, words: str) -> nodes.Node:
        """Link to a claim's page, if the book has one."""
        if (page := f"{CLAIMS}/{slug}") not in self.env.found_docs:
            return nodes.inline(text=words, classes=["claim-short"])
        uri = self.env.app.builder.get_relative_uri(self.env.docname, page)
        return nodes.reference("", words, refuri=uri, internal=True, classes=["claim-short"])


def condition_of(verdict: str) -> str:
    """Return the condition of a verdict in part: the words from "Holds in part" to the reason."""
    sentence = re.split(r"\.(?:\s|$)", verdict)[0]
    if sentence.startswith("Holds in part, "):
        return sentence.removeprefix("Holds in part, ").split(":")[0]
    part = "Holds in part: "
    return sentence.removeprefix(part) if sentence.startswith(part) else ""


def _counted(counts: dict[str, int]) -> str:
    """Summarize the counts of the verdicts in two sentences."""
    holds, in_part, fails, undecided = counts.values()
    return (
        f"Of {sum(counts.values())} claims, {holds} hold in the case that their source mainly "
        f"means, and {in_part} hold in the part that is named. We saw {fails} of them fail, and "
        f"our runs don't decide the other {undecided}."
    )


def _filters(stored) -> str:
    """Return the menus that choose claims; the script shows them."""
    chapters = sorted({result.chapter for result in stored})
    menus = {
        "chapter": {chapter: f"chapter {int(chapter)}" for chapter in chapters},
        "kind": {kind.replace(" ", "-"): kind for kind in KINDS},
    }
    return (
        '<div class="claim-filters" hidden>'
        + "".join(
            f'<label>{LABELS[name]} <select name="{name}"><option value="">all</option>'
            + "".join(f'<option value="{value}">{text}</option>' for value, text in menu.items())
            + "</select></label> "
            for name, menu in menus.items()
        )
        + '<span role="status"></span></div>'
    )


def _comparisons(stored: dict) -> str:
    """Explain how many of the claims' intervals are likely to miss."""
    number = len(stored)
    several = sum(len(result.blocks) > 1 for result in stored.values())
    missed = {math.floor(number / 20), math.ceil(number / 20)}
    return (
        "**Intervals.** A 95 % interval misses what it estimates one time in twenty, by the chance "
        f"of its seeds alone. So of {number} intervals, expect about "
        f"{' or '.join(map(str, sorted(missed)))} to miss, and nothing tells which. If only the "
        "best of several comparisons counts in a claim, its interval is corrected for the choice. "
        "If a verdict depends on an interval by a narrow margin, we run the experiment again with "
        f"new seeds, and the verdict then rests on all of them. {several} of the {number} verdicts "
        "rest on several blocks of seeds."
    )


def _selections(stored: dict) -> str:
    """Explain the ways to choose settings, and count the experiments that used each."""
    ways = [result.experiment.selection for result in stored.values()]
    return (
        "**Settings.** Methods can be compared fairly only if each of them has a suitable setting, "
        f"such as a learning rate. {ways.count(PROTOCOL)} experiments chose settings *{PROTOCOL}*: "
        "each method tried equally many settings and kept the one that worked best on other seeds "
        "and other data than those of the result. In the other "
        f"{ways.count(FIXED)}, all settings were *{FIXED}* before the run."
    )


class ClaimPage(SphinxDirective):
    """``{claim} SLUG``: the content of a claim's page, below its title."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the verdict, method, figures, results and settings, and how to run it again.

        An archived claim's page also shows that it is archived, and the date of its run.
        """
        from rnn_helpers.experiments import load
        from rnn_helpers.experiments.archived import Archived
        from rnn_helpers.experiments.show import figure

        slug = self.arguments[0]
        result = load(slug)
        entry, said = result.experiment, result.summary
        runs = not isinstance(entry, Archived)
        note_mark(self.env, CODE)
        for path in _files(entry, runs):
            self.env.note_dependency(str(path))
        page = nodes.container(classes=["claim-entry"])
        page += nodes.paragraph(text=entry.source, classes=["claim-source"])
        if not runs:
            page += self.parse_text_to_nodes(_since(entry))
        page += nodes.paragraph(text=said.finding, classes=["finding"])
        page += nodes.paragraph("", "", *judgement(said.verdict, said.kind))
        page += self._listing(
            {
                "What we did": f"{result.method} {len(result.seeds)} seeds.",
                "How we chose its settings": CHOSEN[entry.selection],
            }
        )
        page += [result_node(self.env, figure(result.data(name))) for name in entry.data]
        page += [plot(bundle=result.plot(name).payload) for name in entry.pictures]
        saw = said.text.removesuffix(said.caveats).rstrip()
        page += self._listing(
            {
                "What we saw": saw,
                **{caption: _markdown(lines) for caption, lines in result.tables.items()},
                "In one number": str(said),
                "In each block of seeds": in_each_block(result),
                "What it does not show": said.caveats,
            }
        )
        page += link_to_cell(self.env, "The experiment is in", entry.chapter, code=using(slug))
        run = {"To run it again": again(result)} if runs else {"When we ran it": ran(result)}
        page += self._listing(run | {f"Its {len(result.rows)} rows": _rows(result, self.env.app)})
        page += _folded("Its settings", yaml.safe_dump(result.config, **_YAML))
        if CLAIMS in self.env.found_docs:
            uri = self.env.app.builder.get_relative_uri(self.env.docname, CLAIMS)
            back = nodes.reference("", "All claims", refuri=uri, internal=True)
            page += nodes.paragraph("", "", back)
        return [page]

    def _listing(self, entries: dict[str, str]) -> nodes.definition_list:
        """Return a definition list of the entries that have a text, which is Markdown."""
        listing = nodes.definition_list()
        for term, text in entries.items():
            if text:
                words = nodes.definition("", *self.parse_text_to_nodes(text))
                listing += nodes.definition_list_item("", nodes.term(text=term), words)
        return listing


def badge(verdict: str, kind: str) -> nodes.inline:
    """Set a verdict in the color of its kind."""
    return nodes.inline(text=verdict, classes=["verdict", f"verdict-{kind.replace(' ', '-')}"])


def judgement(verdict: str, kind: str) -> list[nodes.Node]:
    """Set a verdict as the badge of its kind, followed by the rest of its sentence."""
    rest = verdict[len(kind) :].removeprefix(".")  # which the badge shows
    return [badge(verdict[: len(kind)], kind), *([nodes.Text(rest)] if rest else [])]


def using(slug: str) -> re.Pattern:
    """Return a pattern for code that loads or shows a result; its slug may be on the next line."""
    return re.compile(rf'experiments\.(load|show)\(\s*"{slug}"')


def _files(entry, runs: bool) -> list[Path]:
    """Return the files that the page of a claim depends on."""
    from rnn_helpers.experiments.archived import ARCHIVE

    if not runs:
        return [ARCHIVE / f"{entry.slug}.json"]
    return [entry.path, *_modules(entry.function.__code__.co_filename)]


def _since(entry) -> str:
    """Write in Markdown that a claim is archived, since when, and where its code is."""
    return (
        f"We archived this experiment on {entry.date}: its result stays, but we no longer run its "
        f"code, which is in `{entry.code}`."
    )


def _modules(path: str | Path) -> list[Path]:
    """Return the path of a claim's module and of the claims' modules that it imports."""
    imported = IMPORTED.findall(Path(path).read_text("utf-8"))
    found = [Path(path).parents[2].joinpath(*name.split("."), "__init__.py") for name in imported]
    return [Path(path), *(other for module in found for other in _modules(module))]


def _markdown(lines: list[dict]) -> str:
    """Write a table in Markdown; only its first column is aligned to the left."""
    headings, *rest = cells(lines)
    rule = [":--", *["--:"] * (len(headings) - 1)]
    return "\n".join(
        f"| {' | '.join(text.replace('|', chr(92) + '|') for text in line)} |"
        for line in (headings, rule, *rest)
    )


_YAML = {"sort_keys": False, "default_flow_style": None, "allow_unicode": True, "width": 72}


def again(result) -> str:
    """Explain how to run an experiment again, and when each block of seeds was run."""
    run = f"python -m rnn_helpers.experiments run {result.slug}"
    shows = result.experiment.in_seconds or "whether it still gives the same results"
    blocks = [
        f"`{run}{f' --block {k}' if k > 1 else ''}` took {_effort(block)}"
        for k, block in enumerate(result.blocks, 1)
    ]
    return f"`{run} --quick` takes seconds and shows {shows}; {'; '.join(blocks)}."


def ran(result) -> str:
    """Write when each block of seeds of an archived experiment was run."""
    return f"It took {'; then '.join(map(_effort, result.blocks))}."


def _rows(result, app) -> str:
    """Write the rows as CSV into a zip file that the page offers, and return the link to it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        # The oldest date that a zip file can hold, so that equal rows give equal bytes.
        file = zipfile.ZipInfo(f"{result.slug}.csv")
        archive.writestr(file, result.table(layout=separated), zipfile.ZIP_DEFLATED)
    path = Path(app.outdir).with_name("rows") / f"{result.slug}.zip"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(packed.getvalue())
    place = Path(os.path.relpath(path, app.srcdir)).as_posix()
    return (
        f"{{download}}`{file.filename} </{place}>`, zipped, for spreadsheets and pandas, or "
        f'`experiments.load("{result.slug}").rows`.'
    )


def _effort(block) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in block.versions.items())
    return f"{_seconds(block)} on {block.date}, with {_seeds(block)} ({versions})"


def _seconds(block) -> str:
    return f"{block.seconds:.0f} s" if block.seconds >= 0.5 else "less than a second"


def in_each_block(result) -> str:
    """Return the headline number of each block of seeds, if there are several."""
    if len(result.blocks) == 1:
        return ""
    return "; ".join(f"{_seeds(block)}: {result.of(block)}" for block in result.blocks)


def _seeds(block) -> str:
    return f"seeds {block.seeds[0]} to {block.seeds[-1]}"


def _folded(summary: str, text: str) -> details:
    """Return verbatim text that the reader can expand."""
    part = details(summary=summary)
    part += nodes.literal_block(text, text, language="none")
    return part


def _add_script(app, pagename, templatename, context, doctree) -> None:
    if pagename == CLAIMS:
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app) -> None:
    """Register the directives and the script of the overview, and add the page of each claim."""
    app.connect("html-page-context", _add_script)
    app.add_directive("claims-ledger", ClaimsLedger)
    app.add_directive("claim", ClaimPage)
    add_pages(app, CLAIMS, "claim", titles)
