"""What of the past comes round if the way back leads through the outputs alone."""

from matplotlib.figure import Figure

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import COLOUR_MAPS, WIDTH, Plot, style
from rnn_helpers.plots.words import counted, number
from rnn_helpers.validate import as_count, as_number, as_real, as_square


def through_door(memory, says, asked, loop, *, width, delay, said):
    """Draw what can be read from the units, what the way round amounts to, and what is said.

    Parameters
    ----------
    memory : array_like, shape (K,)
        For each delay from 0 on, the share of the input of so long ago that can be read.
    says, asked : array_like, shape (T,)
        What an output says, and what it should say.
    loop : array_like, shape (n_h, n_h)
        Weights from outputs to units times those from units to outputs.
    width : int
        Outputs through which the way leads.
    delay : int
        The delay that is asked for, from 0 to K - 1.
    said : float
        Squared correlation of `says` and `asked`.

    Returns
    -------
    Plot
    """
    memory, loop = as_real("memory", memory), as_square("loop", loop)
    if memory.ndim != 1 or not len(memory) or memory.min() < 0 or memory.max() > 1 + 1e-9:
        raise ValueError(f"memory is {memory}; expected a row of shares from 0 to 1")
    says, asked = as_real("says", says), as_real("asked", asked)
    said = as_number("said", said, "a share from 0 to 1", lambda share: 0 <= share <= 1)
    if says.ndim != 1 or not len(says) or says.shape != asked.shape:
        raise ValueError(f"says and asked have shapes {says.shape}, {asked.shape}; expected (T,)")
    if as_count("delay", delay, 0) >= len(memory):
        raise ValueError(f"delay is {delay}; expected one from 0 to {len(memory) - 1}")
    as_count("width", width)
    with style():
        figure = Figure(figsize=(WIDTH, 4.2), layout="constrained")
        axes = figure.subplot_mosaic(
            [["memory", "loop"], ["said", "said"]], height_ratios=(1.5, 1), width_ratios=(1.4, 1)
        )
        bars = axes["memory"].barh(
            range(len(memory)), memory, 0.7, color=colour("state"), alpha=0.55
        )
        bars[delay].set_alpha(1)
        axes["memory"].set(ylim=(len(memory) - 0.4, -0.6), xlim=(0, 1), xticks=(0, 1))
        axes["memory"].set_yticks([0, delay, len(memory) - 1])
        axes["memory"].set_ylabel("steps ago")
        axes["memory"].set_title(f"readable through {counted(width, 'output')}")
        axes["memory"].grid(False)
        axes["loop"].imshow(loop, cmap=COLOUR_MAPS["signed", "light"], vmin=-1, vmax=1)
        axes["loop"].set(xticks=(), yticks=())
        axes["loop"].grid(False)
        axes["loop"].set_title("the way round")
        axes["said"].plot(asked, color=colour("target"), ls=(0, (1, 1.2)), label="asked")
        axes["said"].plot(says, color=colour("output"), label="said")
        axes["said"].set(xticks=(), ylim=(-1.3, 1.3), yticks=(-1, 0, 1))
        axes["said"].legend(loc="upper left", bbox_to_anchor=(0, 1.32), ncols=2, borderpad=0)
        shares = ", ".join(number(round(share, 2)) for share in memory)
        return Plot(
            figure,
            f"The way back leads through {counted(width, 'output')}. Of the inputs of 0 to "
            f"{len(memory) - 1} steps ago the shares that can be read are {shares}. What is said "
            f"has a squared correlation of {number(round(said, 2))} with the input of "
            f"{counted(delay, 'step')} ago.",
        )
