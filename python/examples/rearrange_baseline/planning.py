"""Paths over the map by the named actions of the base."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from typing import NamedTuple

import numpy as np

from .mapping import CELL_M, CELLS, SIZE_M, Array, Pose

STEP_M = 0.25
TURNS = 12
TURN_RAD = 2 * np.pi / TURNS
#: Control steps of the actions. Driving backward is blind.
STEPS = {"move_forward": 38, "move_backward": 60, "turn_left": 22, "turn_right": 22}
UNDOES = {
    "turn_left": "turn_right",
    "turn_right": "turn_left",
    "move_forward": "move_backward",
    "move_backward": "move_forward",
}
#: Bounds the search on large maps.
MAX_EXPANDED = 40000


class Way(NamedTuple):
    """The last action of a sequence, and what came before it."""

    action: str
    before: Way | None


class Node(NamedTuple):
    estimate: float
    order: int
    pose: tuple[float, float]
    turn: int
    cost: float
    way: Way | None
    ends: bool


def distances(free: Array, sources: Array) -> Array:
    """Metres over free cells to the nearest source, infinite where there is no path."""
    result = np.full(free.shape, np.inf, np.float32)
    flat, passable, columns = result.reshape(-1), free.reshape(-1), free.shape[1]
    front = np.flatnonzero(sources)
    flat[front] = 0
    straight = np.array([1, -1, columns, -columns])
    every = np.concatenate([straight, columns + straight[:2], straight[:2] - columns])
    # Alternating between four and eight neighbours makes octagons, which are circles within 8 %.
    for i in count(1):
        near = np.unique((front[:, None] + (straight if i % 2 else every)).ravel())
        near = near[(near >= 0) & (near < flat.size)]
        front = near[passable[near] & np.isinf(flat[near])]
        if not front.size:
            break
        flat[front] = i * CELL_M
    return result


def plan(free: Array, start: Pose, sources: Array, cost_at: Callable[[Pose], float | None]) -> list[str] | None:
    """The named actions to the cheapest pose for which `cost_at` gives a cost in control steps; None without a path.

    The actions reach a lattice of poses that depends on the start, so the pose is found together with the way to it.
    The search (A*) heads for the cells in `sources`, among which the pose should be.
    """
    remaining = distances(free, sources & free).ravel().tolist()
    passable = free.astype(np.uint8).tobytes()
    headings = [start.theta + k * TURN_RAD for k in range(TURNS)]
    best: dict[tuple[int, int, int], float] = {}
    order = count()
    heap: list[Node] = []

    def cell(x: float, y: float) -> int:
        return int((x + SIZE_M / 2) / CELL_M) * CELLS + int((y + SIZE_M / 2) / CELL_M)

    def push(x: float, y: float, turn: int, cost: float, way: Way | None, ends: bool = False) -> None:
        rest = 0.0 if ends else remaining[cell(x, y)] / STEP_M * STEPS["move_forward"] * 0.9
        if rest < np.inf:
            heapq.heappush(heap, Node(cost + rest, next(order), (x, y), turn, cost, way, ends))

    push(start.x, start.y, 0, 0.0, None)
    for _ in range(MAX_EXPANDED):
        if not heap:
            return None
        node = heapq.heappop(heap)
        (x, y), turn, cost, way = node.pose, node.turn, node.cost, node.way
        if node.ends:
            return _actions(way)
        key = (round((x - start.x) / CELL_M), round((y - start.y) / CELL_M), turn)
        if best.get(key, np.inf) <= cost:
            continue
        best[key] = cost
        extra = cost_at(Pose(x, y, headings[turn]))
        if extra is not None:
            push(x, y, turn, cost + extra, way, ends=True)
        for name, steps in STEPS.items():
            if way is not None and UNDOES[name] == way.action:
                continue
            if name.startswith("turn"):
                push(x, y, (turn + (1 if name == "turn_left" else -1)) % TURNS, cost + steps, Way(name, way))
                continue
            step = STEP_M if name == "move_forward" else -STEP_M
            dx, dy = step * np.cos(headings[turn]), step * np.sin(headings[turn])
            if passable[cell(x + dx / 2, y + dy / 2)] and passable[cell(x + dx, y + dy)]:
                push(x + dx, y + dy, turn, cost + steps, Way(name, way))
    return None


def _actions(way: Way | None) -> list[str]:
    names: list[str] = []
    while way is not None:
        names.append(way.action)
        way = way.before
    return names[::-1]
