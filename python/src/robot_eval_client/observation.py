"""Observations, decoded to the same values from JSON and from MessagePack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .episode import Episode
from .errors import BadMessage
from .pictures import picture_from_base64


class Observation(dict[str, Any]):
    """Readings by sensor name.

    rgb is uint8 (H, W, 3), depth float32 (H, W) in metres, semantic uint16 (H, W), a vector float64 (n,), a
    number a float; text, dictionaries and other lists are unchanged.
    """

    def __init__(
        self,
        readings: Mapping[str, Any],
        *,
        step: int = 0,
        task_type: str = "",
        episode: Episode | None = None,
        session_id: str = "",
    ) -> None:
        super().__init__(readings)
        self.step = step
        self.task_type = task_type
        self.episode = episode if episode is not None else Episode({}, session_id)
        self.session_id = session_id

    def __missing__(self, name: str) -> Any:
        have = ", ".join(self) or "no sensors"
        raise KeyError(f"no sensor {name!r} in this observation; it has {have}")


def readings_from_wire(wire: Mapping[Any, Any]) -> dict[str, Any]:
    """Decodes an observation. An error in an image names its sensor."""
    readings: dict[str, Any] = {}
    for name, value in wire.items():
        if not isinstance(name, str):
            raise BadMessage(f"observation has the sensor name {name!r}; names must be strings")
        try:
            readings[name] = _reading(value)
        except (ValueError, OverflowError) as error:
            raise BadMessage(f"observation.{name}: {error}") from error
    return readings


def _reading(value: Any) -> Any:
    if isinstance(value, str):
        picture = picture_from_base64(value)
        return value if picture is None else picture
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return float(value) + 0.0
    if isinstance(value, list) and all(_is_number(item) for item in value):
        return _array(np.array(value, dtype=np.float64))
    return _plain(value)


def _array(value: np.ndarray[Any, Any]) -> Any:
    if value.ndim == 0:
        return float(value) + 0.0
    if value.ndim > 1:
        return value
    # JSON has no -0 and no integer types, so both are normalised.
    return value.astype(np.float64, copy=False) + 0.0


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _plain(value: Any) -> Any:
    """Arrays inside dictionaries and lists become lists, as in JSON."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value
