"""Functions for the weights of networks that several figures share."""

import base64

import numpy as np


def arrays(params):
    """Weights as arrays, from the lists and numbers of the manifest."""
    return {name: np.array(value, float) for name, value in params.items()}


def rounded(params, names, largest):
    """Weights as whole numbers, and a scale for each array.

    Parameters
    ----------
    params : dict of ndarray
    names : sequence of str
        Arrays, in the order in which they are kept; those that a network lacks are left out.
    largest : int
        Greatest of the whole numbers: 127 for 8 bits.

    Returns
    -------
    dict
        ``whole``, nested lists of int, and ``scales``, a float for each.
    """
    there = [params[name] for name in names if name in params]
    # An array of zeros is zeros at any scale.
    scales = [float(f"{np.abs(array).max() / largest:.6g}") or 1.0 for array in there]
    whole = [
        np.clip(np.rint(array / scale), -largest, largest).astype(int).tolist()
        for array, scale in zip(there, scales, strict=True)
    ]
    return {"whole": whole, "scales": scales}


def scaled(kept, names):
    """Weights from the result of `rounded`; if arrays are missing, they are the last of `names`."""
    arrays = zip(kept["whole"], kept["scales"], strict=True)
    return {
        name: scale * np.array(whole, float)
        for name, (whole, scale) in zip(names, arrays, strict=False)
    }


def packed(params, names, largest):
    """Weights as `rounded` makes them, a byte each, and the shapes of the arrays.

    Returns
    -------
    dict
        ``weights``, all in a row, in base 64; ``shapes`` and ``scales`` of the arrays.
    """
    kept = rounded(params, names, largest)
    data = b"".join(np.array(whole, np.int8).tobytes() for whole in kept["whole"])
    return {
        "weights": base64.b64encode(data).decode(),
        "shapes": {name: list(params[name].shape) for name in names if name in params},
        "scales": kept["scales"],
    }


def unpacked(kept):
    """Weights from the result of `packed`, with one or two bytes for each."""
    data = base64.b64decode(kept["weights"])
    ends = np.cumsum([np.prod(shape) for shape in kept["shapes"].values()])
    whole = np.frombuffer(data, f"<i{len(data) // ends[-1]}").astype(float)
    each = zip(kept["shapes"].items(), kept["scales"], np.split(whole, ends[:-1]), strict=True)
    return {name: scale * part.reshape(shape) for (name, shape), scale, part in each}


def without_output(params):
    """Weights of a network whose states alone are wanted, with the V and c that are asked for."""
    n_h = len(params["b"])
    return params | {"V": np.zeros((1, n_h)), "c": np.zeros(1)}


def middle(losses):
    """Which network to keep: at the rate whose middle network is best, that one.

    Parameters
    ----------
    losses : ndarray, shape (R, S)
        For each rate those of its networks.

    Returns
    -------
    tuple of int
        Places of the rate and of the network.
    """
    middles = losses.argsort(axis=1)[:, (losses.shape[1] - 1) // 2]
    best = int(losses[range(len(losses)), middles].argmin())
    return best, int(middles[best])


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
