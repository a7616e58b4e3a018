"""Where the site offers the students' notebooks, and the link to one of them."""

import posixpath

FOLDER = "notebooks"  # beside the chapters
ARCHIVE = "unfolded-notebooks.zip"  # in that folder: all notebooks, with what they need
# Browsers ignore the attribute "download" on a page that was opened from a disk.
SHOWN = "If your browser shows the file, save it with Ctrl+S or Cmd+S."


def folder(docname: str) -> str:
    """Return the address of the folder of notebooks on a page, which may be a course's."""
    return posixpath.relpath(f"book/{FOLDER}", posixpath.dirname(docname) or "book")


def link(docname: str, words: str) -> str:
    """Return the link from a chapter's page to its notebook.

    Parameters
    ----------
    docname : str
        The chapter.
    words : str
        The link's text.
    """
    name = docname.rpartition("/")[2]
    return f'<a href="{folder(docname)}/{name}.ipynb" download title="{SHOWN}">{words}</a>'
