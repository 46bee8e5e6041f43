"""Converts an adapter's values to wire values: plain values and arrays of numbers."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import SimulatorError


def wire_value(value: Any) -> Any:
    """Arrays stay arrays; scalars and containers of NumPy and other frameworks become Python objects."""
    kind = type(value)
    if kind is float or kind is str or kind is bool or kind is int or value is None or kind is bytes:
        return value
    if kind is np.ndarray:
        return _array(value)
    if isinstance(value, Mapping):
        return {str(name): wire_value(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [wire_value(item) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "detach"):
        # A PyTorch tensor on any device.
        return _array(value.detach().cpu().numpy())
    if hasattr(value, "__array__"):
        return _array(np.asarray(value))
    if isinstance(value, (bool, int, float, str)):
        return kind.__mro__[1](value)
    raise SimulatorError(f"a value of type {kind.__name__} cannot be sent: {str(value)[:80]}")


def json_value(value: Any) -> Any:
    """For JSON frames: arrays become lists, and non-finite numbers null."""
    if isinstance(value, np.ndarray):
        return json_value(value.tolist())
    if isinstance(value, Mapping):
        return {str(name): json_value(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.hex()
    return value


def not_finite(value: Any, name: str = "") -> str | None:
    """The name of the first value that is not finite; None if all are finite."""
    if isinstance(value, np.ndarray):
        return None if value.dtype.kind != "f" or np.isfinite(value).all() else name
    if isinstance(value, float):
        return None if math.isfinite(value) else name
    if isinstance(value, dict):
        for key, item in value.items():
            found = not_finite(item, f"{name}.{key}" if name else str(key))
            if found is not None:
                return found
    elif isinstance(value, list):
        for item in value:
            if not_finite(item, name) is not None:
                return name
    return None


def without_non_finite(value: Any) -> Any:
    """The value without non-finite entries, which records cannot represent."""
    if isinstance(value, dict):
        return {key: without_non_finite(item) for key, item in value.items() if not_finite(item) is None or isinstance(item, dict)}
    return value


def hash_of(*arrays: npt.NDArray[np.float64]) -> str:
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array, dtype="<f8").data)
    return digest.hexdigest()


def _array(value: npt.NDArray[Any]) -> Any:
    if value.dtype.kind in "biuf" and value.dtype.itemsize <= 8:
        # A 0-D array is a number.
        return value if value.ndim else value.item()
    if value.dtype.kind in "OUS":
        return [wire_value(item) for item in value.tolist()] if value.ndim else wire_value(value.item())
    raise SimulatorError(f"an array of dtype {value.dtype} cannot be sent")
