"""A recorded episode, with its steps as NumPy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import RunError
from .files import gzip_lines

_FORMATS = ("robot-eval-trajectory/1", "robot-eval-trajectory/2")

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Trajectory:
    """The steps of an episode. Record 0 is the state after reset; record t is the state after the t-th action."""

    #: The complete episode, as in its dataset.
    episode: Mapping[str, Any]
    #: The step records, as documented in docs/run-directory.md.
    records: Sequence[Mapping[str, Any]]

    def __len__(self) -> int:
        return len(self.records)

    @property
    def actions(self) -> list[Any]:
        """The actions after record 0: names, or lists of numbers."""
        return [record.get("action") for record in self.records[1:]]

    @property
    def times(self) -> Floats:
        """(n,) simulated seconds since reset; NaN without a clock."""
        return np.array([_number(record.get("time_s")) for record in self.records])

    @property
    def fields(self) -> list[str]:
        """The names of the numeric state fields, which `array` accepts."""
        names = dict.fromkeys(name for record in self.records for name in _state(record))
        return [name for name in names if any(_shape(_state(record).get(name)) is not None for record in self.records)]

    def array(self, field: str) -> Floats:
        """A numeric field of the state: (n,) for numbers, (n, k) for vectors such as `position` and `qpos`.

        A record without the field, and a null in it, is NaN.
        """
        values = [_state(record).get(field) for record in self.records]
        shapes = {shape for shape in map(_shape, values) if shape is not None}
        if not shapes:
            raise RunError(f"the trajectory has no numeric field {field!r}; it has {', '.join(self.fields) or 'none'}")
        if len(shapes) > 1:
            raise RunError(f"{field!r} has values of different lengths: {sorted(shapes)}")
        (shape,) = shapes
        result = np.full((len(values), *shape), np.nan)
        for row, value in enumerate(values):
            if _shape(value) is not None:
                result[row] = [_number(item) for item in value] if isinstance(value, list) else _number(value)
        return result


def read_trajectory(path: Path) -> Trajectory:
    lines = list(gzip_lines(path))
    header = lines[0] if lines else {}
    if header.get("format") not in _FORMATS or not isinstance(header.get("episode"), dict):
        raise RunError(f"{path}: not a trajectory of the formats {', '.join(_FORMATS)}")
    return Trajectory(header["episode"], lines[1:])


def _state(record: Mapping[str, Any]) -> Mapping[str, Any]:
    state = record.get("state")
    return state if isinstance(state, dict) else {}


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, (int, float))


def _shape(value: object) -> tuple[int, ...] | None:
    """None for values that are not numeric. A null counts as numeric, because infinity is written as null, but it has no shape."""
    if isinstance(value, (int, float)):
        return ()
    if isinstance(value, list) and value and all(map(_is_number, value)):
        return (len(value),)
    return None


def _number(value: Any) -> float:
    try:
        return float("nan") if value is None else float(value)
    except OverflowError:
        return float("inf")
