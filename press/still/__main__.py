"""Draw the pictures of the default states: ``python -m rnn_helpers.site.still``."""

from rnn_helpers.commands import run_program
from rnn_helpers.site.still.defaults import main

if __name__ == "__main__":
    run_program(main)
