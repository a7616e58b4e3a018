"""The package behind every notebook of *Unfolded*.

These conventions hold throughout the package.

**Errors.** Public functions check their arguments. One of the wrong type raises ``TypeError``; an
invalid value raises ``ValueError``: a shape that does not fit, a token or size out of range,
NaN or an infinity, an unknown name, numbers with which the result overflows. The message names the
argument, its value, and the expected one. A refused call changes nothing and leaves no file half
written. A docstring has a section *Raises* only for further errors.

**Shapes.** Time is the first axis, units are the last: a state is ``h[t]``. The letters are ``T``
time steps, ``S`` networks ("seeds") side by side, ``B`` sequences of a minibatch, and ``n_x``,
``n_h``, ``n_y`` input, hidden and output units. ``...`` are optional axes, the same ones throughout
a docstring. Arrays count from 0; ``t``, as in the
sources, from 1.

**Numbers.** Tokens are integers from 0, and represent one-hot vectors. Networks compute in the
floating type of their parameters. Losses and entropies are in nats, unless a docstring says bits. A
``mask`` is 1 where a step counts and 0 where it does not. Gradients are column vectors, along the
last axis like the arrays they belong to.

**Chance.** A ``seed`` is an integer of at least 0 or a `numpy.random.Generator`, which continues
from its state; a sequence of S seeds draws S networks, stacked on a leading axis. The same seed on
the same machine gives the same numbers.
"""

from rnn_helpers.threads import one_thread

one_thread()
