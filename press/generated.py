"""Generated pages: one for each figure, one for each claim.

Each is a title and a directive, in a folder that git ignores, next to the page that links to them:
``book/gallery.md`` links to ``book/gallery/NAME.md``. So Sphinx reads, links and searches them like
other pages. The table of contents, which excludes pages that it does not list, names only the
linking page; a book without that page has none of the generated ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

PAGE = """---
orphan: true
---

# {title}

```{{{directive}}} {name}
```
"""


def add_pages(
    app, folder: str, directive: str, titles: Callable[[Path], Mapping[str, str]]
) -> None:
    """Have pages made before Sphinx looks for pages to read.

    Parameters
    ----------
    app : sphinx.application.Sphinx
    folder : str
        Where in the source they lie, such as ``"book/gallery"``.
    directive : str
        The directive that writes a page; its argument is the page's name.
    titles : callable
        Given the folder of the chapters, return the title of each page, as Markdown, by its name.
    """

    def make(app, config) -> None:
        if not Path(app.srcdir, f"{folder}.md").exists():
            return
        pages = {
            f"{folder}/{name}.md": PAGE.format(title=title, directive=directive, name=name)
            for name, title in titles(Path(app.srcdir, "book")).items()
        }
        write(Path(app.srcdir), folder, pages)
        config.exclude_patterns = [each for each in config.exclude_patterns if each not in pages]

    # After the table of contents has excluded the pages that it does not list.
    app.connect("config-inited", make, priority=950)


def full_stop(text: str) -> str:
    """Return the full stop to add after `text`; empty if it ends in a question mark or the like."""
    return "" if text.endswith((".", "?", "!")) else "."


def write(root: Path, folder: str, pages: Mapping[str, str]) -> None:
    """Write pages that are new or changed, and remove pages that no longer exist.

    Parameters
    ----------
    root : Path
        The folder that paths are relative to.
    folder : str
        Holds these pages alone.
    pages : mapping
        Path to text. A page that stays as it is keeps its date, by which Sphinx knows it.
    """
    (root / folder).mkdir(exist_ok=True)
    for old in {*(root / folder).iterdir()} - {root / path for path in pages}:
        old.unlink()
    for path, text in pages.items():
        page = root / path
        if not page.exists() or page.read_text("utf-8") != text:
            page.write_text(text, "utf-8")
