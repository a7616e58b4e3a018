"""A part of the book, with the overlay of a course: no warnings, and links that lead somewhere."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[2]
OVERLAY = Path(__file__).parent / "overlay"
# Small chapters with the names of the book's own; 13 is left out.
CHAPTERS = {
    "03_rnn": [
        """# 3. Recurrent networks

As [chapter 13](13_long_term.ipynb) says, [gradients vanish](#sec-13-exercises), by
[(G 10.36)](#eq-10.36) and [exercise 13.1](#ex-13-long). Its <a href="slides/13_long_term.html">own
slides</a> and <a href="claims/ringing.html">its claim</a> have more. See [attention](#sec-attend).
""",
        "(sec-step)=\n## The step\n\n$$\nh = 1 \\tag{G 10.8}\n$$\n\nThis is [(G 10.8)](#eq-10.8).",
    ],
    "10_encoder_decoder": [
        "# 10. Encoder and decoder\n\nIt has [a step](#sec-step).",
        "(sec-attend)=\n## Attention\n\n````{exercise} Attend\n:label: ex-10-attend\nDo it.\n````",
    ],
    "13_long_term": [
        "# 13. Why gradients vanish\n\nIt has [a step](#sec-step).",
        "(sec-13-exercises)=\n## Long ago\n\n$$\nh = 2 \\tag{G 10.36}\n$$",
        "````{exercise} Long\n:label: ex-13-long\nDo it.\n````",
    ],
}
PAGES = {
    "index": """# Unfolded

```{div} tagline
Networks
```

[Begin with chapter 3](03_rnn.ipynb)

```{progress}
```

## The chapters

### Designs

[3. Recurrent networks](03_rnn.ipynb)
: *How?* So.

[10. Encoder and decoder](10_encoder_decoder.ipynb)
: *How?* So.

### Remembering

[13. Why gradients vanish](13_long_term.ipynb)
: *Why?* So.
""",
    "claims": "# Claims\n\n```{claims-ledger}\n```\n",
    "glossary": "# Glossary\n\n```{glossary-entries}\n```\n",
    "equations": "# Equations\n\n```{equation-index}\n```\n",
}
TERMS = [
    {"term": "attention", "meaning": "An average.", "section": "sec-attend"},
    {"term": "gradient", "meaning": "A slope.", "section": "sec-13-exercises"},
]
BUILD = """
import sys
from pathlib import Path
from press import build, overlay

root = Path(sys.argv[1])
overlay.lay(root)
sys.exit(build.build(root))
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A small book, of which a part is built. Warnings of Sphinx are errors."""
    root = tmp_path_factory.mktemp("edition")
    book = root / "book"
    book.mkdir()
    for name in ("rnn_helpers", "press", "tests"):
        (root / name).symlink_to(ROOT / name)
    for name in ("_config.yml", "requirements.txt"):
        shutil.copyfile(ROOT / name, root / name)
    for name, texts in CHAPTERS.items():
        cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
        notebook = nbformat.v4.new_notebook(cells=cells)
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, book / f"{name}.ipynb")
    for name, text in PAGES.items():
        (book / f"{name}.md").write_text(text, "utf-8")
    (book / "glossary.yml").write_text(yaml.safe_dump(TERMS), "utf-8")
    (book / "references.bib").touch()
    files = [{"file": f"book/{name}"} for name in [*CHAPTERS, *PAGES] if name != "index"]
    parts = [
        {"caption": "Designs", "chapters": files[:2]},
        {"caption": "Remembering", "chapters": files[2:3]},
        {"caption": "Reference", "chapters": files[3:]},
    ]
    toc = {"format": "jb-book", "root": "book/index", "parts": parts}
    (root / "_toc.yml").write_text(yaml.safe_dump(toc), "utf-8")
    environment = os.environ | {"OVERLAY": str(OVERLAY), "CHAPTERS": "", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", BUILD, str(root)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return root


@pytest.fixture(scope="module")
def pages(root):
    site = root / "_build/html"
    return {
        path: BeautifulSoup(path.read_text("utf-8"), "html.parser") for path in site.rglob("*.html")
    }


def words(page):
    """Return the text of a page as it is read."""
    return " ".join(page.article.get_text().split())


def test_every_link_leads_somewhere(pages):
    anchors = {path: {tag["id"] for tag in page.select("[id]")} for path, page in pages.items()}
    dead = set()
    for path, page in pages.items():
        for tag in page.select("[href], [src]"):
            address, anchor = urldefrag(tag.get("href") or tag["src"])
            parts = urlsplit(address)
            if (
                parts.scheme or parts.netloc or "slides/" in parts.path
            ):  # `make slides` writes those
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(anchor).partition("?")[0]
            if not target.exists() or (anchor and anchor not in anchors.get(target, {anchor})):
                dead.add((path.name, address, anchor))
    assert dead == set()
    assert len(pages) > 10


def test_pages_links_archive_and_search_have_only_the_chapters_of_the_edition(pages, root):
    site = root / "_build/html"
    for path, page in pages.items():
        addresses = [path.name, *(tag["href"] for tag in page.select("a[href]"))]
        assert not [address for address in addresses if "13_long_term" in address]
    assert "13_long_term" not in (site / "searchindex.js").read_text("utf-8")
    with zipfile.ZipFile(site / "book/notebooks/unfolded-notebooks.zip") as archive:
        notebooks = {Path(name).stem for name in archive.namelist() if name.endswith(".ipynb")}
    assert notebooks == {"03_rnn", "10_encoder_decoder", "warm_up_week"}


def test_collections_have_only_what_is_in_these_chapters(pages, root):
    book = root / "_build/html/book"
    assert "average" in words(pages[book / "glossary.html"])
    assert "slope" not in words(pages[book / "glossary.html"])
    assert "(G 10.36)" not in words(pages[book / "equations.html"])
    assert (book / "claims/fixed-context.html").exists()
    assert not (book / "claims/ringing.html").exists()
    assert "Remembering" not in words(pages[book / "index.html"])


def test_words_name_a_chapter_that_is_left_out(pages, root):
    assert (
        "As chapter 13 says, gradients vanish (chapter 13 of the complete book), by (G 10.36) "
        "(chapter 13 of the complete book) and exercise 13.1. Its own slides (chapter 13 of the "
        "complete book) and its claim (chapter 13 of the complete book) have more. See attention."
    ) in words(pages[root / "_build/html/book/03_rnn.html"])
    student = (root / "_build/html/book/notebooks/03_rnn.ipynb").read_text("utf-8")
    assert "gradients vanish (chapter 13 of the complete book)" in student


def test_chapters_keep_their_numbers(pages, root):
    book = root / "_build/html/book"
    assert "Exercise 10.1" in words(pages[book / "10_encoder_decoder.html"])
    following = pages[book / "03_rnn.html"].select_one("a.right-next")
    assert following["href"] == "10_encoder_decoder.html"


def test_a_course_has_its_name_its_dates_and_its_pages(pages, root):
    book = root / "_build/html/book"
    assert pages[book / "03_rnn.html"].title.string.endswith("— Networks in autumn")
    dates = words(pages[book / "course/schedule.html"])
    assert "Monday, October 19, 2026 10. Encoder and decoder · slides" in dates
    first = {link["href"] for link in pages[book / "index.html"].article.select("a[href]")}
    assert {"course/schedule.html", "course/syllabus.html", "course/warm_up_week.html"} <= first


def test_an_exercise_of_a_course_is_answered_on_its_page_and_handed_out(pages, root):
    page = pages[root / "_build/html/book/course/warm_up_week.html"]
    assert page.select_one('[data-exercises="03-autumn"]')
    with zipfile.ZipFile(root / "_build/html/book/notebooks/unfolded-notebooks.zip") as archive:
        names = {Path(name).name: name for name in archive.namelist()}
        copy = archive.read(names["warm_up_week.ipynb"]).decode()
    assert "warm_up.py" in names
    assert "raise NotImplementedError" in copy
    assert "h = h + x" not in copy
