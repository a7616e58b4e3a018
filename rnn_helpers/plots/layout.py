"""Where the nodes, arrows and labels of a drawn graph go. Lengths are in inches, y points up."""

from itertools import pairwise

import numpy as np

RADIUS = 0.32
ROW = 0.98  # between rows of nodes
SIBLING = 0.84  # between nodes that share a row and a time step
_SAMPLES = np.linspace(0, 1, 81)[:, None]
_NODE_CLEARANCE, _LINE_CLEARANCE = RADIUS + 0.07, 0.17


def rows(circuit):
    """Row and horizontal offset of each node of a circuit: inputs at the bottom, flow upward.

    Returns
    -------
    dict of str to (float, float)
        Offset x within the time step's column, and y.
    """
    needs = {name: [] for name in circuit.nodes}
    feeds = {name: [] for name in circuit.nodes}
    for edge in circuit.edges:
        if edge.delay == 0:
            needs[edge.target].append(edge.source)
            feeds[edge.source].append(edge.target)
    level = {}
    for name in circuit.order:
        level[name] = 1 + max((level[source] for source in needs[name]), default=-1)
    # A node that enters half-way, such as a target entering the loss, is placed above the node that
    # it feeds, if there is room, and otherwise level with that node's other sources.
    for name in circuit.order:
        if feeds[name] and not needs[name]:
            first = min(level[target] for target in feeds[name])
            if first > 1:
                level[name] = first - 1 if first + 1 in level.values() else first + 1
    crosses_time = {end for e in circuit.edges if e.delay for end in (e.source, e.target)}
    stacked = []
    for row in sorted(set(level.values())):
        members = [name for name in circuit.nodes if level[name] == row]
        # A node with arrows to or from other steps has its own row, to keep them straight.
        beside = [name for name in members if name not in crosses_time]
        stacked += [beside] if beside else []
        stacked += [[name] for name in members if name in crosses_time]
    return {
        name: ((i - (len(members) - 1) / 2) * SIBLING, row * ROW)
        for row, members in enumerate(stacked)
        for i, name in enumerate(members)
    }


def route(start, end, nodes, bends=None, curves=()):
    """Curve from one node to another that keeps clear of the other nodes.

    Parameters
    ----------
    start, end : array_like, shape (2,)
        Centers of the nodes to join.
    nodes : array_like, shape (n, 2)
        Centers of all nodes.
    bends : sequence of float, optional
        How far the middle may be pushed sideways (to the left of the direction of travel), in order
        of preference; by default straight, then ever further to either side.
    curves : sequence of ndarray, shape (k, 2), optional
        Curves to keep clear of as well, except near the two nodes.

    Returns
    -------
    ndarray, shape (m, 2)
        Points along the curve, from rim to rim.
    """
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = (end - start) / np.linalg.norm(end - start)
    left = np.array([-along[1], along[0]])
    nodes = np.asarray(nodes, float)
    obstacles = nodes[np.minimum(_distances(nodes, start), _distances(nodes, end)) > RADIUS]
    near = RADIUS + 0.2
    lines = np.concatenate([np.empty((0, 2)), *(curve[::4] for curve in curves)])
    lines = lines[np.minimum(_distances(lines, start), _distances(lines, end)) > near]
    if bends is None:
        bends = [0, *(sign * b for b in np.arange(0.25, 1.6, 0.1) for sign in (1, -1))]
    best, best_gap = None, -np.inf
    for bend in bends:
        # The middle of a quadratic curve is half-way to its control point.
        curve = bezier(start, (start + end) / 2 + 2 * bend * left, end)
        gap = min(_gap(curve, obstacles) - _NODE_CLEARANCE, _gap(curve, lines) - _LINE_CLEARANCE)
        if gap > best_gap:
            best, best_gap = curve, gap
        if gap >= 0:
            break
    return trim(best, start, end)


def loop(centre, rank=0):
    """Curve that leaves a node and comes back to it: the first on its right, the next on its left,
    further ones around these.
    """
    # Clockwise on either side, so that outside is always on the left of the direction of travel.
    side = (-1) ** rank
    reach, spread = side * (0.98 + 0.42 * (rank // 2)), side * (0.62 + 0.3 * (rank // 2))
    curve = centre + bezier((0, 0), (reach, spread), (reach, -spread), (0, 0))
    return trim(curve, centre, centre)


def bezier(*points):
    """Points along the quadratic or cubic Bezier curve with the given control points."""
    points = [np.asarray(p, float) for p in points]
    while len(points) > 1:
        points = [a + _SAMPLES * (b - a) for a, b in pairwise(points)]
    return points[0]


def trim(curve, start, end, gap=0.035):
    """Cut off the parts within the nodes at both ends, and a little more."""
    visible = np.minimum(_distances(curve, start), _distances(curve, end)) > RADIUS + gap
    first, *_, last = np.flatnonzero(visible)
    return curve[first : last + 1]


def place_label(curve, size, nodes, curves, labels, side=1, distance=0.07):
    """Find room for a label next to a curve.

    Parameters
    ----------
    curve : ndarray, shape (m, 2)
    size : (float, float)
        Width and height of the label.
    nodes : sequence of points
        Centers of all nodes.
    curves : sequence of ndarray, shape (k, 2)
        All curves, the label's own included.
    labels : sequence of (x, y, width, height)
        Labels placed already.
    side : {1, -1}
        Preferred side, left (1) or right (-1) of the direction of travel.
    distance : float
        Between the curve and the label.

    Returns
    -------
    x, y : float
        Center of the label.
    """
    half = np.asarray(size) / 2
    others = np.concatenate([c for c in curves if c is not curve] or [np.full((1, 2), np.inf)])
    best, best_gap = None, -np.inf
    for share in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
        i = int(share * (len(curve) - 1))
        ahead = curve[min(i + 2, len(curve) - 1)] - curve[max(i - 2, 0)]
        left = np.array([-ahead[1], ahead[0]]) / np.linalg.norm(ahead)
        for sign in (side, -side):
            away = sign * left
            centre = curve[i] + away * (distance + np.abs(away) @ half)
            gap = min(
                # Further from other curves than from its own, so that it is not read as theirs.
                _gap_to_box(others, centre, half) - distance,
                _gap_to_box(curve, centre, half) - 0.03,
                _gap_to_box(nodes, centre, half) - RADIUS - 0.02,
                min((_gap_of_boxes(centre, half, box) for box in labels), default=np.inf) - 0.03,
            )
            if gap >= 0:
                return centre
            if gap > best_gap:
                best, best_gap = centre, gap
    return best


def _distances(points, centre):
    return np.linalg.norm(points - centre, axis=-1)


def _gap(curve, points):
    if not len(points):
        return np.inf
    return _distances(curve[:, None], points).min()


def _gap_to_box(points, centre, half):
    outside = np.maximum(np.abs(np.asarray(points, float) - centre) - half, 0)
    return np.linalg.norm(outside, axis=1).min()


def _gap_of_boxes(centre, half, box):
    apart = np.abs(np.asarray(box[:2]) - centre) - half - np.asarray(box[2:]) / 2
    return np.max(apart)
