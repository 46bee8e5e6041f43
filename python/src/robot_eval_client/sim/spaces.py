"""Maps Gymnasium's spaces to the bridge: actions become one vector or a name, observations named sensors."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import ActionError
from .errors import SimulatorError

#: Replaces infinite bounds, which JSON cannot represent.
_MAX_BOUND = sys.float_info.max


@dataclass(frozen=True)
class _Leaf:
    """One array within a nested action: its path, and its entries in the flat vector."""

    path: tuple[str | int, ...]
    space: Any
    start: int
    size: int


class ActionMap:
    """Converts a checked action to an element of the environment's action space."""

    def __init__(self, env: Any) -> None:
        self._space = env.action_space
        self._names: dict[str, int] | None = None
        if _kind(self._space) == "Discrete":
            first, count = int(getattr(self._space, "start", 0)), int(self._space.n)
            names = _action_meanings(env, count) or [str(first + i) for i in range(count)]
            self._names = {name: first + i for i, name in enumerate(names)}
            self.description: dict[str, Any] = {"type": "discrete", "actions": names}
            return
        self._leaves: list[_Leaf] = []
        self._collect(self._space, ())
        low, high, names = [], [], []
        for leaf in self._leaves:
            leaf_low, leaf_high = _bounds(leaf.space)
            low += leaf_low
            high += leaf_high
            stem = ".".join(str(part) for part in leaf.path) or "action"
            names += [stem] if leaf.size == 1 else [f"{stem}.{i}" for i in range(leaf.size)]
        self.description = {"type": "continuous", "low": low, "high": high, "names": names}

    def __call__(self, action: Any) -> Any:
        if self._names is not None:
            # Some environments require NumPy integers, which Gymnasium's samplers return.
            return np.int64(self._names[action])
        values = {leaf.path: _value(leaf, action[leaf.start : leaf.start + leaf.size]) for leaf in self._leaves}
        return self._nest(self._space, (), values)

    def _collect(self, space: Any, path: tuple[str | int, ...]) -> None:
        children = _children(space)
        if children is not None:
            for name, child in children:
                self._collect(child, (*path, name))
            return
        kind = _kind(space)
        if kind not in ("Box", "Discrete", "MultiDiscrete", "MultiBinary"):
            raise SimulatorError(f"the action space {kind} is not supported; wrap the environment in one with a Box")
        start = self._leaves[-1].start + self._leaves[-1].size if self._leaves else 0
        size = 1 if kind == "Discrete" else int(np.prod(space.shape))
        self._leaves.append(_Leaf(path, space, start, size))

    def _nest(self, space: Any, path: tuple[str | int, ...], values: Mapping[Any, Any]) -> Any:
        children = _children(space)
        if children is None:
            return values[path]
        nested = {name: self._nest(child, (*path, name), values) for name, child in children}
        return tuple(nested.values()) if _kind(space) == "Tuple" else nested


def sensors_of(space: Any) -> dict[str, dict[str, Any]]:
    """Name, shape, dtype and kind of each part of an observation."""
    sensors: dict[str, dict[str, Any]] = {}
    for path, leaf in _leaves_of(space, ()):
        name = _sensor_name(path)
        kind = _kind(leaf)
        if kind == "Text":
            sensors[name] = {"shape": [], "dtype": "str", "kind": "text"}
            continue
        shape = list(getattr(leaf, "shape", None) or ())
        dtype = np.dtype(getattr(leaf, "dtype", None) or np.float64).name
        sensors[name] = {"shape": shape, "dtype": dtype, "kind": _sensor_kind(name, shape, dtype)}
    return sensors


def readings_of(observation: Any) -> dict[str, Any]:
    """The readings of an observation, by the names of `sensors_of`. Copied, because many environments reuse arrays."""
    readings: dict[str, Any] = {}
    _read(observation, (), readings)
    return readings


def _read(value: Any, path: tuple[str | int, ...], readings: dict[str, Any]) -> None:
    if isinstance(value, Mapping):
        for name, item in value.items():
            _read(item, (*path, name), readings)
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            _read(item, (*path, i), readings)
    else:
        readings[_sensor_name(path)] = np.array(value) if isinstance(value, np.ndarray) else value


def _sensor_name(path: tuple[str | int, ...]) -> str:
    return ".".join(str(part) for part in path) or "observation"


def _sensor_kind(name: str, shape: list[int], dtype: str) -> str:
    if dtype == "uint8" and len(shape) == 3 and shape[2] == 3:
        return "rgb"
    if "depth" in name and len(shape) in (2, 3):
        return "depth"
    return "state"


def _leaves_of(space: Any, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], Any]]:
    children = _children(space)
    if children is None:
        return [(path, space)]
    return [leaf for name, child in children for leaf in _leaves_of(child, (*path, name))]


def _children(space: Any) -> list[tuple[str | int, Any]] | None:
    kind = _kind(space)
    if kind == "Dict":
        return list(space.spaces.items())
    if kind == "Tuple":
        return list(enumerate(space.spaces))
    return None


def _kind(space: Any) -> str:
    """The name of a space's Gymnasium class, without importing gymnasium."""
    for base in type(space).__mro__:
        if base.__module__.split(".")[0] in ("gymnasium", "gym"):
            return base.__name__
    raise SimulatorError(f"{type(space).__name__} is not a Gymnasium space")


def _bounds(space: Any) -> tuple[list[float], list[float]]:
    kind = _kind(space)
    if kind == "Box":
        return _finite(space.low), _finite(space.high)
    if kind == "Discrete":
        first = int(getattr(space, "start", 0))
        return [float(first)], [float(first + int(space.n) - 1)]
    if kind == "MultiBinary":
        count = int(np.prod(space.shape))
        return [0.0] * count, [1.0] * count
    first_of = np.asarray(getattr(space, "start", np.zeros_like(space.nvec)))
    return _finite(first_of), _finite(first_of + space.nvec - 1)


def _finite(bound: npt.NDArray[Any]) -> list[float]:
    numbers: list[float] = np.clip(np.asarray(bound, dtype=np.float64).reshape(-1), -_MAX_BOUND, _MAX_BOUND).tolist()
    return numbers


def _value(leaf: _Leaf, part: npt.NDArray[np.float64]) -> Any:
    kind = _kind(leaf.space)
    if kind == "Box":
        return part.astype(leaf.space.dtype).reshape(leaf.space.shape)
    whole = np.rint(part)
    low, high = _bounds(leaf.space)
    if not np.array_equal(whole, part) or (whole < low).any() or (whole > high).any():
        raise ActionError(
            f"the action has {part.tolist()} for {'.'.join(map(str, leaf.path)) or 'its ' + kind}; "
            f"these must be whole numbers from {low} to {high}"
        )
    if kind == "Discrete":
        return np.int64(whole[0])
    return whole.astype(leaf.space.dtype).reshape(leaf.space.shape)


def _action_meanings(env: Any, count: int) -> list[str] | None:
    """The action names that some environments define, such as those of Atari."""
    meanings = getattr(env.unwrapped, "get_action_meanings", None)
    names = meanings() if callable(meanings) else None
    if isinstance(names, (list, tuple)) and len(set(names)) == count and all(isinstance(name, str) for name in names):
        return list(names)
    return None
