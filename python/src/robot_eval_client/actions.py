"""Converts the return value of a policy to wire actions, or raises an `ActionError`."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import ActionError
from .policy import Chunk

_VALID = (
    "an action is a name ('stop'), a vector of numbers (list, tuple or 1-D array), {'name': ...} or {'qpos': ...}, "
    "or several of these as a 2-D array or Chunk([...])"
)


def wire_actions(returned: Any, where: str, most: int) -> list[Any]:
    """The actions of one reply, in a form that both JSON and MessagePack can encode.

    `where` is the method's name (``MyPolicy.act``), `most` the policy's `action_chunk`.
    """
    rows = _rows(returned, where)
    if rows is None:
        return [_one(returned, where)]
    if not rows:
        raise ActionError(f"{where} returned an empty chunk; return at least one action")
    if len(rows) > most:
        raise ActionError(
            f"{where} returned a chunk of {len(rows)} actions, but declares action_chunk = {most}; "
            f"set `action_chunk = {len(rows)}` in the class, or return fewer"
        )
    return [_one(row, where) for row in rows]


def batch_results(returned: Any, where: str, count: int) -> list[Any]:
    """One entry for each observation of a batch; an array is split into its rows."""
    if isinstance(returned, (list, tuple)):
        results = list(returned)
    elif hasattr(returned, "__array__") and np.ndim(returned) > 0:
        results = list(np.asarray(returned))
    else:
        raise ActionError(f"{where} returned {_what(returned)}; return a list with one action per observation")
    if len(results) != count:
        raise ActionError(f"{where} returned {len(results)} actions for {count} observations")
    return results


def _rows(returned: Any, where: str) -> list[Any] | None:
    """The entries of a chunk; None for a single action."""
    if isinstance(returned, Chunk):
        return list(returned)
    if _is_array(returned):
        array = _as_array(returned, where)
        if array.ndim == 2:
            return list(array)
    return None


def _one(value: Any, where: str) -> Any:
    if isinstance(value, str):
        if not value:
            raise ActionError(f"{where} returned an empty string; {_VALID}")
        return str(value)
    if isinstance(value, Mapping):
        return _named(value, where)
    if isinstance(value, (list, tuple)) and not isinstance(value, Chunk):
        return _vector_of_list(value, where)
    if _is_array(value):
        return _vector_of_array(_as_array(value, where), where)
    raise ActionError(f"{where} returned {_what(value)}; {_VALID}{_hint(value)}")


def _named(value: Mapping[Any, Any], where: str) -> dict[str, Any]:
    name, qpos = value.get("name"), value.get("qpos")
    wire: dict[str, Any] = {}
    if isinstance(name, str) and name:
        wire["name"] = str(name)
    if qpos is not None and not isinstance(qpos, (str, Mapping)):
        wire["qpos"] = _one(qpos, f"{where}: qpos")
    if wire:
        return wire
    raise ActionError(f"{where} returned a dictionary with {sorted(map(str, value))}; it must have 'name' or 'qpos'")


def _vector_of_list(value: list[Any] | tuple[Any, ...], where: str) -> list[float]:
    vector: list[float] = []
    for i, number in enumerate(value):
        # NumPy scalars, and those of frameworks whose scalars are 0-D arrays.
        if _is_array(number) and np.ndim(number) == 0:
            number = _as_array(number, where).item()
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            hint = "; several actions in one reply are Chunk([...])" if isinstance(number, (str, list, tuple)) else ""
            raise ActionError(f"{where} returned a list whose entry {i} is {_what(number)}, not a number{hint}")
        vector.append(float(number))
    return _finite(vector, where)


def _vector_of_array(array: np.ndarray[Any, Any], where: str) -> list[float]:
    if array.ndim != 1:
        raise ActionError(
            f"{where} returned an array of shape {array.shape}; a vector has one dimension, a chunk has two"
        )
    return _finite([float(number) for number in array.tolist()], where)


def _finite(vector: list[float], where: str) -> list[float]:
    if not vector:
        raise ActionError(f"{where} returned an empty vector; {_VALID}")
    for i, number in enumerate(vector):
        if not math.isfinite(number):
            raise ActionError(f"{where} returned a vector whose entry {i} is {number}; all must be finite numbers")
    return vector


def _is_array(value: Any) -> bool:
    """Whether a value is a NumPy array or converts to one."""
    return hasattr(value, "__array__") and not isinstance(value, (str, type))


def _as_array(value: Any, where: str) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(value)
    except Exception as error:  # Frameworks raise different types, for example for a tensor on a GPU.
        raise ActionError(f"{where} returned {_what(value)}, which NumPy cannot convert: {error}") from error
    if array.dtype.kind not in "iuf":
        raise ActionError(f"{where} returned an array of dtype {array.dtype}; it must hold integers or floats")
    return array


def _what(value: Any) -> str:
    if value is None:
        return "None"
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def _hint(value: Any) -> str:
    if value is None:
        return ". Is a `return` missing?"
    if inspect.iscoroutine(value):
        value.close()
        return ". Define it with `def`, not `async def`: it runs in its own thread and may block"
    return ""
