"""Make what figures carry anew: ``python -m rnn_helpers.explore.trained NAME ...``."""

import json
import sys
from importlib import import_module

import numpy as np

from rnn_helpers.explore.trained import path

for name in sys.argv[1:]:
    made = import_module(f"rnn_helpers.explore.trained.{name}").make()
    text = json.dumps(made, separators=(",", ":"), default=np.ndarray.tolist)
    path(name).write_text(text + "\n", "utf-8")
