"""Results of the experiment reservoir-memory for the figure reservoir."""

from rnn_helpers import experiments


def make():
    """Memory in the plane of radius and input scale, from the experiment's results.

    Returns
    -------
    dict
        ``radii`` and ``scales``; ``capacities``, the mean of the total for each scale and radius;
        ``met``, in how many reservoirs two starts met, of ``reservoirs``.
    """
    rows = experiments.load("reservoir-memory").rows
    radii, scales = (sorted({row[key] for row in rows}) for key in ("radius", "scale"))
    at = {(row["scale"], row["radius"]): row for row in rows}

    def table(make):
        return [[make(at[scale, radius]) for radius in radii] for scale in scales]

    return {
        "radii": radii,
        "scales": scales,
        "reservoirs": rows[0]["of"],
        "capacities": table(lambda row: round(row["capacity"], 1)),
        "met": table(lambda row: row["met"]),
    }
