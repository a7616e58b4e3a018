"""Conversion to JSON's types, and a hash.

Fingerprints of claims include this module's code, so changing it makes stored results stale.
"""

import hashlib
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np


def digest(content: Any) -> str:
    """Return a hash of JSON data, independent of its layout: sixteen hexadecimal digits."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def _six_digits(value: float) -> float | None:
    """Round a number; infinities and NaN, which JSON lacks, become None."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def plain(value: Any, number: Callable[[float], Any] = _six_digits) -> Any:
    """Turn NumPy numbers and arrays into JSON's types, each float by `number`."""
    if isinstance(value, dict):
        return {str(key): plain(item, number) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item, number) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return number(value) if isinstance(value, float) else value
