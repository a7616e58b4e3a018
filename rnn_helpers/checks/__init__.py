"""Checks of students' answers to the exercises.

A notebook needs one name of this package: ``check("04-grad-W", my_answer)`` prints what a
right answer shows, or a hint for a wrong one. The answer itself is never printed.

A chapter's exercises are declared in ``exercises/chapter_NN.py`` with :func:`exercise` and
:func:`checklist`; those modules are imported when the first answer is checked.
"""

from rnn_helpers.checks.core import (
    Checklist,
    Exercise,
    Outcome,
    Wrong,
    check,
    checklist,
    exercise,
    exercises,
)

__all__ = [
    "Checklist",
    "Exercise",
    "Outcome",
    "Wrong",
    "check",
    "checklist",
    "exercise",
    "exercises",
]
