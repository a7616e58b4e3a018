"""What several figures do with the weights of their networks."""

import numpy as np


def arrays(params):
    """Weights as arrays, from the lists and numbers of the manifest."""
    return {name: np.array(value, float) for name, value in params.items()}


def rotation(draw, n):
    """Orthogonal matrix as the figures make it, from normals that `draw` gives for a shape."""
    q, r = np.linalg.qr(draw((n, n)).T)
    return (q * np.sign(np.diag(r))).T


def reordered(params, order):
    """The same network, simple or gated, its units in another order.

    Parameters
    ----------
    params : dict of ndarray
        As `rnn_forward`, `lstm_forward` or `gru_forward` takes them.
    order : ndarray of int, shape (n_h,)
        For each place, the unit that comes there.

    Returns
    -------
    dict of ndarray
    """

    def sort(name, p):
        if name == "c":
            return p
        if name == "V":
            return p[:, order]
        return p[order][:, order] if name[0] == "W" else p[order]

    return {name: sort(name, p) for name, p in params.items()}
