"""Draw the pictures of the default states: ``python -m rnn_helpers.site.still``."""

from rnn_helpers.site.still.defaults import main

main()
