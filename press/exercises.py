"""Exercises on a page: numbered by chapter, each title once, with a link to the notebook.

An exercise that is answered on the page shows its box there. Its stub, tagged `NOTEBOOK_ONLY`, is
for notebooks.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx_exercise.nodes import exercise_subtitle, is_exercise_node

from press.downloads import link
from press.internals import cells, number_exercises
from rnn_helpers.checks.core import UNANSWERED

NOTEBOOK_ONLY = "notebook-only"  # the tag of a cell that every notebook shows, and no page
NUMBER = re.compile(r"^Exercise \d+\.\d+: ")  # before the title, in a notebook's heading


def _name_contents(app, doctree) -> None:
    """Give each exercise's content a unique id; sphinx-exercise gives all the same one."""
    for section in doctree.findall(nodes.section):
        if section["ids"] in (["exercise-content"], ["solution-content"]):
            section["ids"] = [f"{section.parent['label']}-content"]


def _link_to_notebook(app, doctree) -> None:
    """Replace the output of a check without an answer by a link to the notebook."""
    for cell in cells(doctree):
        if cell.output is not None and cell.output.astext().startswith(UNANSWERED):
            notebook = nodes.raw(
                "", link(app.env.docname, "Write it in the notebook"), format="html"
            )
            paragraph = nodes.paragraph("", "", notebook, classes=["unf-write"])
            cell.node.replace(cell.output, paragraph)


def _drop_stubs(app, doctree) -> None:
    """Remove the cells that only notebooks show.

    The tag "remove-cell" would remove them from students' notebooks, too.
    """
    for cell in cells(doctree):
        if NOTEBOOK_ONLY in cell.tags:
            cell.node.parent.remove(cell.node)


def _title_once(app, doctree) -> None:
    """Remove an exercise's title if the heading before it is the same.

    JupyterLab shows only the heading, so the notebook has both, and the heading has the number too.
    """
    for exercise in doctree.findall(is_exercise_node):
        subtitle = exercise.next_node(exercise_subtitle)
        section = exercise.parent
        heading = section.next_node(nodes.title) if isinstance(section, nodes.section) else None
        if subtitle and heading and subtitle.astext() == NUMBER.sub("", heading.astext()):
            subtitle.parent.remove(subtitle)


def setup(app) -> None:
    """Register the transforms of the exercises on each page."""
    for change in (_name_contents, _drop_stubs, _link_to_notebook, _title_once):
        app.connect("doctree-read", change)
    app.connect("env-check-consistency", lambda app, env: number_exercises(env))
