"""A claim's estimates in a form that tests can compare."""


def by_name(data):
    """Return the values of rows by their names, with a heading as in "easy: SGD"."""
    (part,) = data.parts
    return {name: point["value"] for name, point in part["points"]}


def by_line(data, panel=0):
    """Return the points (x, value) of each line of a panel, by its label."""
    return {
        line["label"]: [(point["x"], point["value"]) for point in line["points"]]
        for line in data.panels[panel]["lines"]
    }


def bounds(data, label, panel=0):
    """Return the bounds (low, high) of the points of a line."""
    lines = {line["label"]: line["points"] for line in data.panels[panel]["lines"]}
    return [(point["low"], point["high"]) for point in lines[label]]
