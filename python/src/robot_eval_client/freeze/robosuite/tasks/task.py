"""A task of robosuite, and what several tasks have in common. The environments of robosuite 1.4 have the same attributes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...original import Boundary, Policy

#: Half of the side of boxes that stand for a half-space, in metres.
FAR_M = 50.0
#: Distances of boundary states from the goal's limit, in metres or radians.
MARGINS = (1e-7, 1e-5, 1e-3)
#: PickPlace and NutAssembly only count an object while `1 - tanh(10 d) < 0.6` for its distance from the hand.
HAND_AWAY_M = math.atanh(0.4) / 10


@dataclass(frozen=True)
class RobosuiteTask:
    instruction: str
    #: Bodies whose poses are recorded; rules use these names.
    objects: Callable[[Any], list[str]]
    rule: Callable[[Any], dict[str, Any]]
    #: States on both sides of the goal.
    boundaries: Callable[[Any], Sequence[Boundary]]
    #: A policy that usually succeeds with OSC_POSE.
    script: Callable[[Any, np.random.Generator], Policy] | None = None


def mujoco_objects(env: Any) -> list[str]:
    return [str(thing.root_body) for thing in env.model.mujoco_objects]


def in_box(thing: str, low: Sequence[float], high: Sequence[float]) -> dict[str, Any]:
    """The centre of an object lies in a box along the world's axes."""
    center = [(a + b) / 2 for a, b in zip(low, high)]
    size = [b - a for a, b in zip(low, high)]
    return {"in": {"object": thing, "region": {"center": center, "size": size}}}


def away_from_hand(thing: str) -> dict[str, Any]:
    return {"not": {"reached": {"object": thing, "to": "centre", "within_m": HAND_AWAY_M}}}


def body_position(env: Any, body: str) -> list[float]:
    return [float(value) for value in env.sim.data.get_body_xpos(body)]


def placed(thing: Any, position: Any, quat_wxyz: Any = (1, 0, 0, 0)) -> dict[str, list[float]]:
    """The free joint of an object whose centre is at a position."""
    return {thing.joints[0]: [*(float(value) for value in position), *(float(value) for value in quat_wxyz)]}


def box_boundaries(place: Callable[[list[float]], dict[str, list[float]]], low: Sequence[float], high: Sequence[float]) -> list[Boundary]:
    """Just inside and just outside of each face of a box that is the goal of an object; infinite faces have no states."""
    middle = [(a + b) / 2 if math.isfinite(a + b) else b - 0.01 for a, b in zip(low, high)]
    found = []
    for axis, name in enumerate("xyz"):
        for limit, outwards, side in ((low[axis], -1, "low"), (high[axis], 1, "high")):
            if not math.isfinite(limit):
                continue
            for margin in MARGINS:
                for inside in (True, False):
                    position = list(middle)
                    position[axis] = limit + outwards * margin * (-1 if inside else 1)
                    found.append(Boundary(f"{side} {name} by {margin:g} m, {'inside' if inside else 'outside'}", inside, place(position)))
    return found
