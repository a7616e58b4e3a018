"""Draw the pictures of the default states: ``python -m press.still``."""

from press.still.defaults import main
from rnn_helpers.commands import run_program

if __name__ == "__main__":
    run_program(main)
