"""One protocol for every comparison: choose each method's setting, train, measure, return rows.

A cell is one method under one condition, such as an initialization at one length. Its setting, such
as a learning rate, is chosen on seeds and data that no result is reported on. All networks of a
cell are trained together: first one for each setting and seed of the choice, then one for each seed
of the result. Each of these trainings is one joblib task, so
``with joblib.parallel_config(backend="dask"):`` spreads a claim over a cluster.
"""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rnn_helpers.experiments.choose import Choice, choose
from rnn_helpers.experiments.kept import each_training
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.words import Estimate, grouped, where
from rnn_helpers.reference import init_recurrent
from rnn_helpers.training import fit
from rnn_helpers.validate import as_list

Cell = tuple
"""A method and the conditions under which it competes: values of a contest's columns."""


class Contest:
    """A comparison of methods, each of them at the setting that suits it.

    A claim's subclass defines the cells, and the networks and data of each cell. A subclass that
    compares something else also replaces `train`, `score` or `rows`.

    Attributes
    ----------
    columns : tuple of str
        Names of the parts of a cell, which are columns of the rows.
    setting : str
        The column of the chosen setting.
    test_size : str
        The name in the settings of the number of sequences on which networks are tested.
    limit : float
        A score above which more is not better when a setting is chosen.
    apart : str, optional
        A column whose values are separate comparisons: grids grow together only among the cells
        that agree in it. By default, all grids grow together.
    """

    columns: ClassVar[tuple[str, ...]]
    setting: ClassVar[str] = "eta"
    test_size: ClassVar[str] = "tested"
    limit: ClassVar[float] = np.inf
    apart: ClassVar[str | None] = None

    def cells(self, config: dict) -> Sequence[Cell]:
        """Name everything that is compared."""
        raise NotImplementedError

    def net(self, config: dict, cell: Cell, seeds: Sequence[int]):
        """Make the networks of a cell, one for each seed, as in `rnn_helpers.nets`."""
        raise NotImplementedError

    def batches(self, config: dict, cell: Cell, size: int, seeds: Sequence) -> Iterable:
        """Draw minibatches of a size for the networks of a cell.

        There is a seed of `numpy.random.default_rng` for each network, and training and tests have
        different seeds. See `generators`.
        """
        raise NotImplementedError

    def params(self, config: dict, cell: Cell, net: Any, seeds: Sequence[int]) -> dict:
        """Initialize the networks of a cell; here as `net` does. See `norm_preserving`."""
        return net.params()

    def train(self, config: dict, cell: Cell, settings: Sequence, seeds: Sequence[int]) -> Any:
        """Train a network for each setting and seed, those of the first setting first.

        Here a setting is a learning rate of Adam, which falls linearly to 0.

        Returns
        -------
        object
            Input of `score` and `rows`: here the networks and their parameters.
        """
        each = [seed for _ in settings for seed in seeds]
        net = self.net(config, cell, each)
        streams = [[seed, 2] for seed in each]
        made = fit(
            net.loss_and_grads,
            self.params(config, cell, net, each),
            self.batches(config, cell, config["batch_size"], streams),
            steps=config["steps"],
            optimizer=AdamEach(np.repeat(settings, len(seeds)), config["steps"]),
            clip=1.0,
        )
        return net, made.params

    def score(self, config: dict, cell: Cell, made: Any, seeds: Sequence[int]) -> np.ndarray:
        """Score each network, of which `seeds` names the seed; more is better.

        Here it is the accuracy on new sequences.
        """
        net, params = made
        streams = [[seed, 3] for seed in seeds]
        test = next(self.batches(config, cell, config[self.test_size], streams))
        return net.accuracy(params, test)

    def rows(
        self, config: dict, cell: Cell, made: Any, seeds: Sequence[int], scores: np.ndarray
    ) -> list[dict]:
        """Return the columns that differ between the networks of a result, one row for each."""
        return [
            {"seed": seed, "right": float(right)} for seed, right in zip(seeds, scores, strict=True)
        ]

    def chosen(self, choice: Choice) -> dict:
        """Return the columns with the setting chosen for a cell."""
        return {self.setting: choice.setting, "at_edge": choice.at_edge}

    def run(self, config: dict, seeds: Sequence[int]) -> list[dict]:
        """Choose a setting for each cell, and return the rows of the networks trained with it.

        Parameters
        ----------
        config : dict
            ``etas``, the grid of every cell, or a dict of grids by the first part of a cell;
            ``first``, how many settings are tried at first, and ``choosing``, on how many seeds.
            The rest is for the methods of the contest.
        seeds : sequence of int
            Seeds of the result.

        Returns
        -------
        list of dict
            The rows, cell by cell.
        """
        return self.result(config, self.choices(config), seeds)

    def choices(self, config: dict) -> dict[Cell, Choice]:
        """Choose a setting for each cell on other seeds; see `choose`.

        Returns
        -------
        dict of Choice
            By cell.
        """

        def score(tries, others):
            settings = {}
            for cell, setting in tries:
                settings.setdefault(cell, []).append(setting)
            found = each_training((self._scores, config, *one, others) for one in settings.items())
            scores = dict(zip(settings, map(iter, found), strict=True))
            return np.minimum([next(scores[cell]) for cell, _ in tries], self.limit)

        comparisons = {}
        for cell in self.cells(config):
            at = self.apart and cell[self.columns.index(self.apart)]
            comparisons.setdefault(at, []).append(cell)
        chosen = {}
        for cells in comparisons.values():
            chosen |= self._choose(config, cells, score)
        return chosen

    def _choose(self, config: dict, cells: list[Cell], score: Callable) -> dict[Cell, Choice]:
        """Choose a setting for each of several cells, whose grids grow together."""
        etas = config["etas"]
        grids = {cell: etas[cell[0]] if isinstance(etas, Mapping) else etas for cell in cells}
        return choose(grids, score, first=config["first"], seeds=config["choosing"])

    def result(
        self, config: dict, chosen: Mapping[Cell, Choice], seeds: Sequence[int]
    ) -> list[dict]:
        """Train each cell at its chosen setting and return the rows.

        A second block of seeds is trained at the choices of the first.

        Returns
        -------
        list of dict
        """
        seeds = as_list("seeds", seeds)
        found = each_training(
            (self._rows, config, cell, choice.setting, seeds) for cell, choice in chosen.items()
        )
        return [
            dict(zip(self.columns, cell, strict=True)) | row | self.chosen(choice)
            for (cell, choice), rows in zip(chosen.items(), found, strict=True)
            for row in rows
        ]

    def _scores(self, config: dict, cell: Cell, settings: list, seeds: list) -> list:
        made = self.train(config, cell, settings, seeds)
        scores = self.score(config, cell, made, list(seeds) * len(settings))
        return np.reshape(scores, (len(settings), len(seeds))).tolist()

    def _rows(self, config: dict, cell: Cell, setting: Any, seeds: list) -> list[dict]:
        made = self.train(config, cell, [setting], seeds)
        return self.rows(config, cell, made, seeds, self.score(config, cell, made, seeds))


def generators(seeds: Iterable) -> list[np.random.Generator]:
    """Make a random generator from each seed."""
    return [np.random.default_rng(seed) for seed in seeds]


def norm_preserving(
    params: Mapping[str, np.ndarray], square: Iterable[str], seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """Replace square matrices by orthogonal ones, so that a step preserves the state's norm.

    Parameters
    ----------
    params : dict of ndarray
        Parameters on a leading axis of networks.
    square : iterable of str
        Names of the matrices that a state passes on its way to the next.
    seeds : sequence of int
        One for each network. A matrix depends on its seed and its name alone.

    Returns
    -------
    dict of ndarray
        New parameters. The others are those of `params`.
    """
    made = dict(params)
    for name in square:
        key = zlib.crc32(name.encode())
        rngs = generators([seed, 4, key] for seed in seeds)
        n_h, dtype = params[name].shape[-1], params[name].dtype
        made[name] = init_recurrent("orthogonal", n_h, rngs, dtype=dtype)
    return made


def by_seed(rows: Iterable[dict], column: str = "right") -> list[float]:
    """Average a column over the conditions of each seed.

    Returns
    -------
    list of float
    """
    return [
        float(np.mean([row[column] for row in mine])) for mine in grouped(rows, "seed").values()
    ]


def leads(rows: Sequence[dict], method: str, one: str, other: str) -> list[float]:
    """Return by how much more of its answers one method gets right than another, seed by seed.

    Parameters
    ----------
    rows : sequence of dict
        One for each method, condition and seed. Conditions are averaged, and seeds are paired.
    method : str
        The column that names the method.
    one, other : str
        Two methods.

    Returns
    -------
    list of float
    """
    shares = (by_seed(where(rows, **{method: name})) for name in (one, other))
    return [a - b for a, b in zip(*shares, strict=True)]


def ahead(rows: Sequence[dict], method: str, one: str, other: str) -> Estimate:
    """Estimate the mean of `leads`."""
    return Estimate.mean(leads(rows, method, one, other), (-1, 1))


def typically_ahead(rows: Sequence[dict], method: str, one: str, other: str) -> Estimate:
    """Estimate the median of `leads`, for networks of which a few fail."""
    return Estimate.median(leads(rows, method, one, other))
