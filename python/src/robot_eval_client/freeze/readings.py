"""Observations as readings of the model, which robot-eval evaluates without Python.

Each reading is compared with the observation of the original before it is written, so a wrong one cannot pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .original import Observation, Original, Reading

#: Largest difference between a reading and the original's observation.
_TOLERANCE = 1e-9


def differences(names: Sequence[str]) -> list[tuple[str, Reading]]:
    """An observation may be the difference of two others, such as `gripper_to_cube_pos`."""
    positions = [name for name in names if name.endswith("_pos")]
    return [
        (name, {"kind": "difference", "of": [one, other]})
        for name in positions
        if "_to_" in name
        for one in positions
        for other in positions
        if one != other and "_to_" not in one and "_to_" not in other
    ]


class ReadingCheck:
    """Keeps the candidates that agree with all observations so far."""

    def __init__(self, original: Original, names: Sequence[str]) -> None:
        self._original = original
        self._names = list(names)
        self._evaluators = {**_KINDS, **{kind: _ignoring_original(evaluate) for kind, evaluate in original.evaluators().items()}}
        self._left: dict[str, list[Reading]] = {name: [] for name in self._names}
        for name, reading in original.readings():
            if name in self._left:
                self._left[name].append(reading)
        self._values = original.values()
        self._before: Observation = {}

    def begin(self) -> None:
        """A rollout starts, so there is no control step before the next one."""
        self._before = {}

    def compare(self, observation: Mapping[str, Any]) -> None:
        known = {name: np.asarray(value, dtype=np.float64).ravel() for name, value in observation.items()}
        first = {} if self._before else self._original.start().get("first_values", {})
        for name, reading in self._values.items():
            known[name] = np.array(first[name]) if name in first else self._evaluate(reading, known)
        for name, readings in self._left.items():
            self._left[name] = [reading for reading in readings if self._agrees(reading, known, known[name])]
        self._before = known

    def readings(self) -> dict[str, Reading]:
        """By name: the first candidate left. Those that refer to observations without a reading are left out."""
        chosen = {name: readings[0] for name, readings in self._left.items() if readings}
        while True:
            usable = {*chosen, *self._values}
            complete = {name: reading for name, reading in chosen.items() if usable.issuperset(_references(reading))}
            if len(complete) == len(chosen):
                return complete
            chosen = complete

    def missing(self) -> list[str]:
        chosen = self.readings()
        return [name for name in self._names if name not in chosen]

    def _agrees(self, reading: Reading, known: Observation, expected: Any) -> bool:
        value = self._evaluate(reading, known)
        return value is not None and value.shape == expected.shape and bool(np.all(np.abs(value - expected) <= _TOLERANCE))

    def _evaluate(self, reading: Reading, known: Observation) -> Any:
        if reading["kind"] == "previous":
            return self._before.get(reading["of"], known[reading["of"]])
        return self._evaluators[reading["kind"]](self._original, reading, known)


Evaluate = Callable[[Original, Reading, Observation], Any]


def _ignoring_original(evaluate: Callable[[Reading, Observation], Any]) -> Evaluate:
    return lambda _, reading, known: evaluate(reading, known)


def _references(reading: Reading) -> list[str]:
    """Names of other observations that a reading is computed from."""
    names = [reading.get(key, ()) for key in ("of", "object", "frame")]
    return [one for name in names for one in ([name] if isinstance(name, str) else name)]


def _joints(original: Original, reading: Reading, address: str, array: str) -> Any:
    """None unless each joint has one number."""
    joints = [original.model.joint(name) for name in reading["joints"]]
    at = [getattr(joint, address) for joint in joints]
    widths = [getattr(original.data.joint(name), array).size for name in reading["joints"]]
    return np.array(getattr(original.data, array)[np.concatenate(at)], dtype=np.float64) if set(widths) == {1} else None


def _qpos(original: Original, reading: Reading) -> Any:
    return _joints(original, reading, "qposadr", "qpos")


def _applied(function: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else function(value)


def _known(names: Sequence[str], known: Observation) -> list[Any] | None:
    return [known[name] for name in names] if all(name in known for name in names) else None


def _difference(reading: Reading, known: Observation) -> Any:
    values = _known(reading["of"], known)
    return values[0] - values[1] if values is not None and values[0].shape == values[1].shape else None


_KINDS: Mapping[str, Evaluate] = {
    "qpos": lambda original, reading, _: _qpos(original, reading),
    "cos_qpos": lambda original, reading, _: _applied(np.cos, _qpos(original, reading)),
    "sin_qpos": lambda original, reading, _: _applied(np.sin, _qpos(original, reading)),
    "qvel": lambda original, reading, _: _joints(original, reading, "dofadr", "qvel"),
    "qacc": lambda original, reading, _: _joints(original, reading, "dofadr", "qacc"),
    "site_pos": lambda original, reading, _: np.array(original.data.site(reading["site"]).xpos),
    "body_pos": lambda original, reading, _: np.array(original.data.body(reading["body"]).xpos),
    "body_quat_xyzw": lambda original, reading, _: np.array(original.data.body(reading["body"]).xquat)[[1, 2, 3, 0]],
    "difference": lambda _, reading, known: _difference(reading, known),
    "concat": lambda _, reading, known: _applied(np.concatenate, _known(reading["of"], known)),
}
