"""Unfold circuits with delays into graphs without cycles (section 10.1).

A circuit has a node for each quantity and an edge for each dependency. An edge without delay acts
within one time step. An edge with delay d uses the value from d steps earlier (each black square
in a drawing is a delay of one step). Unfolding copies every node and every edge once per step. All
copies of an edge share its parameter, so the graph grows with the number of steps and the
parameters don't. An invalid name, delay or number of steps raises ``ValueError``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from graphlib import CycleError, TopologicalSorter
from numbers import Integral
from typing import NamedTuple

from rnn_helpers.validate import MOST, brief, cut


@dataclass(frozen=True)
class Edge:
    """A connection between two nodes of a circuit.

    Attributes
    ----------
    source, target : str
        Names of the nodes that the edge connects.
    parameter : str or None
        Name of the weights or the function that the edge applies (``"U"``, ``"W"``, ``"f"``); None
        for a plain edge, such as one into a loss.
    delay : int
        Number of time steps that the value waits, 0 or more.
    """

    source: str
    target: str
    parameter: str | None = None
    delay: int = 0

    def __post_init__(self):
        for role, name in (("source", self.source), ("target", self.target)):
            _require_name(name, f"the {role} of an edge")
        if self.parameter is not None:
            _require_name(self.parameter, f"the parameter of {self.source} -> {self.target}")
        if not _is_integer(self.delay) or not 0 <= self.delay <= MOST:
            raise ValueError(
                f"the delay of {self.source} -> {self.target} is {brief(self.delay)}; "
                f"expected an integer >= 0, and at most {MOST}"
            )
        object.__setattr__(self, "delay", int(self.delay))


@dataclass(frozen=True)
class Circuit:
    """A recurrent network drawn once, with delays on the edges that lead to later steps.

    Parameters
    ----------
    nodes : sequence of str
        Names of the nodes, without repetition.
    edges : sequence of Edge
    last : sequence of str, optional
        Nodes that exist only at the last time step, such as a single output.

    Raises
    ------
    ValueError
        If two edges connect the same nodes with the same delay, if edges without delay form a
        cycle (each of its nodes would need its own value), or if a node that exists only at the
        last step leads to a node that also exists at earlier steps.

    Examples
    --------
    >>> circuit = Circuit(["x", "h"], [Edge("x", "h", "U"), Edge("h", "h", "W", delay=1)])
    >>> graph = circuit.unfold(3)
    >>> len(graph.copies("W")), graph.parameters
    (3, ('U', 'W'))
    """

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    last: tuple[str, ...] = ()

    def __post_init__(self):
        for field in ("nodes", "edges", "last"):
            value = getattr(self, field)
            if isinstance(value, str) or not isinstance(value, Iterable):
                raise TypeError(f"{field} is {brief(value)}; expected a list")
            object.__setattr__(self, field, tuple(value))
        if not self.nodes:
            raise ValueError("nodes is empty; a circuit needs at least one")
        for field, names in (("nodes", self.nodes), ("last", self.last)):
            for name in names:
                _require_name(name, f"a name in {field}")
                if names.count(name) > 1:
                    raise ValueError(f"{field} names {brief(name)} twice")
        for name in self.last:
            self._require_node(name, "last")
        seen = set()
        for edge in self.edges:
            if not isinstance(edge, Edge):
                raise TypeError(f"edges holds {brief(edge)}; expected an Edge")
            arrow = f"the edge {edge.source} -> {edge.target}"
            self._require_node(edge.source, arrow)
            self._require_node(edge.target, arrow)
            if (edge.source, edge.target, edge.delay) in seen:
                raise ValueError(f"{arrow} with delay {edge.delay} is there twice")
            seen.add((edge.source, edge.target, edge.delay))
            if edge.source in self.last and (edge.delay or edge.target not in self.last):
                raise ValueError(
                    f"{arrow} leaves a node that exists at the last step only; "
                    "it can only go, without delay, to another such node"
                )
        try:
            _ = self.order
        except CycleError as error:
            path = cut(" -> ".join(error.args[1]), 300)
            raise ValueError(
                f"the edges without delay form a cycle, {path}; give one of them a delay of 1"
            ) from None

    @property
    def order(self):
        """Tuple of the nodes' names, each after those that it depends on within a time step."""
        needs = {name: [] for name in self.nodes}
        for edge in self.edges:
            if edge.delay == 0:
                needs[edge.target].append(edge.source)
        return tuple(TopologicalSorter(needs).static_order())

    @property
    def parameters(self):
        """Tuple of the parameters' names, in the order of the edges."""
        return _parameters(self.edges)

    def unfold(self, T):
        """Unfold the circuit over T time steps (equations 10.2-10.6).

        Parameters
        ----------
        T : int
            Number of time steps, 1 or more. Node ``name`` at step t becomes ``(name, t)``, for
            t = 1, ..., T.

        Returns
        -------
        Graph
            A graph without cycles. Values from before the first step become initial nodes, with
            times 0, -1, ..., such as ``("h", 0)``.
        """
        if not _is_integer(T) or not 1 <= T <= MOST:
            raise ValueError(
                f"T is {brief(T)}; expected a number of time steps, an integer from 1 to {MOST}"
            )
        T, order = int(T), self.order
        steps = [
            (name, t) for t in range(1, T + 1) for name in order if t == T or name not in self.last
        ]
        arrows = [
            Arrow((edge.source, t - edge.delay), (name, t), edge.parameter)
            for name, t in steps
            for edge in self.edges
            if edge.target == name
        ]
        before = {arrow.source for arrow in arrows if arrow.source[1] < 1}
        initial = sorted(before, key=lambda node: (node[1], self.nodes.index(node[0])))
        return Graph((*initial, *steps), tuple(arrows))

    def to_dict(self):
        """Return the circuit as a dict that JSON can hold."""
        return {
            "nodes": list(self.nodes),
            "edges": [asdict(edge) for edge in self.edges],
            "last": list(self.last),
        }

    @classmethod
    def from_dict(cls, data):
        """Make a circuit from a dict that `to_dict` returned."""
        try:
            edges = [Edge(**edge) for edge in data["edges"]]
            return cls(**{**data, "edges": edges})
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(
                f"data is {brief(data)}; expected the keys nodes, edges (each with source, target, "
                f"parameter, delay) and last: {cut(str(error))}"
            ) from error

    def _require_node(self, name, where):
        if name not in self.nodes:
            raise ValueError(
                f"{where} names {brief(name)}; the nodes are {cut(', '.join(self.nodes), 300)}"
            )


class Arrow(NamedTuple):
    """An edge of an unfolded graph: ``source`` and ``target`` are nodes ``(name, t)``."""

    source: tuple[str, int]
    target: tuple[str, int]
    parameter: str | None


@dataclass(frozen=True)
class Graph:
    """A circuit unfolded in time: a directed graph without cycles.

    Attributes
    ----------
    nodes : tuple of (str, int)
        Pairs (name, t), each after all the nodes that it depends on. Initial nodes (t < 1) come
        first.
    edges : tuple of Arrow
        Triples (source, target, parameter).
    """

    nodes: tuple[tuple[str, int], ...]
    edges: tuple[Arrow, ...]

    @property
    def initial(self):
        """Tuple of the nodes before the first step, such as h^(0). Their values must be given."""
        return tuple(node for node in self.nodes if node[1] < 1)

    @property
    def parameters(self):
        """Tuple of the names of the parameters. It doesn't depend on T."""
        return _parameters(self.edges)

    def copies(self, parameter):
        """List of the edges that share a parameter."""
        known_name = isinstance(parameter, str)
        edges = [edge for edge in self.edges if known_name and edge.parameter == parameter]
        if not edges:
            known = cut(", ".join(self.parameters), 300) or "none"
            raise ValueError(f"parameter is {brief(parameter)}; the graph has {known}")
        return edges

    def shortest_path(self, source, target):
        """List of the nodes on a path with the fewest edges, or None if there is no path.

        Parameters
        ----------
        source, target : (str, int)
            Nodes of the graph.
        """
        for role, node in (("source", source), ("target", target)):
            if node not in self.nodes:
                raise ValueError(f"{role} is {brief(node)}; the graph has no such node")
        ways = {source: [source]}
        for node in self.nodes:  # each comes after the nodes that it depends on
            found = [
                ways[edge.source]
                for edge in self.edges
                if edge.target == node and edge.source in ways
            ]
            if found and node != source:
                ways[node] = [*min(found, key=len), node]
        return ways.get(target)

    def evaluate(self, functions, given):
        """Compute the graph node by node.

        Parameters
        ----------
        functions : dict of str to callable
            The function that computes each node, by name, the same at every time step. It is
            called with the values at the sources of the node's edges, in the order of the
            circuit's edges.
        given : dict of (str, int) to object
            Values of nodes that aren't computed, such as inputs and initial states. A value given
            for a node with a function replaces the function.

        Returns
        -------
        dict of (str, int) to object
            The value at each node.

        Raises
        ------
        ValueError
            If a node has neither a value nor a function.

        Examples
        --------
        >>> graph = FIGURES["10.2"].unfold(2)
        >>> xs = {("x", 1): 3, ("x", 2): 4}
        >>> graph.evaluate({"h": lambda x, h: 10 * h + x}, {("h", 0): 0, **xs})["h", 2]
        34
        """
        self._check_evaluation(functions, given)
        sources = {node: [] for node in self.nodes}
        for source, target, _ in self.edges:
            sources[target].append(source)
        values = {}
        for node in self.nodes:
            name, _ = node
            if node in given:
                values[node] = given[node]
            elif sources[node] and name in functions:
                arguments = [values[source] for source in sources[node]]
                values[node] = functions[name](*arguments)
            else:
                need = "a function in functions or a value" if sources[node] else "a value"
                raise ValueError(f"node {node} needs {need} in given")
        return values

    def _check_evaluation(self, functions, given):
        for role, value in (("functions", functions), ("given", given)):
            if not isinstance(value, Mapping):
                raise TypeError(f"{role} is {brief(value)}; expected a dict")
        for name, function in functions.items():
            if not callable(function):
                raise TypeError(
                    f"functions[{brief(name)}] is {brief(function)}; expected a function"
                )
        unknown = set(given) - set(self.nodes)
        if unknown:
            raise ValueError(
                f"given has {brief(sorted(unknown, key=str))}; the graph has no such node"
            )


def _parameters(edges):
    return tuple(dict.fromkeys(edge.parameter for edge in edges if edge.parameter is not None))


def _is_integer(value):
    return isinstance(value, Integral) and not isinstance(value, bool)


def _require_name(name, role):
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{role} is {brief(name)}; expected a name")


_LOSS = (Edge("o", "L"), Edge("y", "L"))

# The circuits of sections 10.1 and 10.2, by number.
FIGURES = {
    "10.1": Circuit(["s"], [Edge("s", "s", "f", delay=1)]),
    "10.2": Circuit(["x", "h"], [Edge("x", "h"), Edge("h", "h", "f", delay=1)]),
    "10.3": Circuit(
        ["x", "h", "o", "L", "y"],
        [Edge("x", "h", "U"), Edge("h", "h", "W", delay=1), Edge("h", "o", "V"), *_LOSS],
    ),
    "10.4": Circuit(
        ["x", "h", "o", "L", "y"],
        [Edge("x", "h", "U"), Edge("o", "h", "W", delay=1), Edge("h", "o", "V"), *_LOSS],
    ),
    "10.5": Circuit(
        ["x", "h", "o", "L", "y"],
        [Edge("x", "h", "U"), Edge("h", "h", "W", delay=1), Edge("h", "o", "V"), *_LOSS],
        last=["o", "L", "y"],
    ),
}
