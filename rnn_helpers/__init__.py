"""The package every notebook of *Unfolded* stands on.

What holds everywhere is said here and nowhere else.

**Errors.** Arguments are checked where they enter. One of the wrong type raises ``TypeError``; one
that cannot be meant raises ``ValueError``: a shape that does not fit, a token or size out of range,
NaN or an infinity, an unknown name, numbers with which the result overflows. The message names the
argument, what it was, and what was expected. Nothing is changed by a call that is refused, and no
file is left half written. A docstring has a section *Raises* only for what goes beyond this.

**Shapes.** Time is the first axis, units are the last: a state is ``h[t]``. The letters are ``T``
time steps, ``S`` networks ("seeds") side by side, ``B`` sequences of a minibatch, and ``n_x``,
``n_h``, ``n_y`` input, hidden and output units. ``...`` stands for axes that an argument may have
or not, the same ones wherever it is written in one docstring. Arrays count from 0; ``t``, as in the
sources, from 1.

**Numbers.** Tokens are integers from 0, and stand for one-hot vectors. Networks compute in the
floating type of their parameters. Losses and entropies are in nats, unless bits are said. A
``mask`` is 1 where a step counts and 0 where it does not. Gradients are column vectors, laid along
the last axis like what they belong to.

**Chance.** A ``seed`` is an integer of at least 0 or a `numpy.random.Generator`, which goes on from
where it is; a sequence of S seeds draws S networks, stacked on a leading axis. The same seed on the
same machine gives the same numbers.
"""

from rnn_helpers.threads import one_thread

one_thread()
