"""Where to drive to see more, and which of the things on the map the instruction means."""

from __future__ import annotations

import re

import numpy as np

from .mapping import CATEGORIES, CELL_M, Array, GridMap, Pose, cells_of, centre_of, components, grown
from .planning import distances

#: The base fits where obstacles are farther than this.
RADIUS_M = 0.29
#: Smaller borders of unknown floor are gaps between pixels.
MIN_FRONTIER = 6
#: Half the width of unknown floor that counts as floor.
SHADOW_CELLS = 3
#: A border that was looked at from within this distance shows no more.
SEEN_M = 0.6
#: Within this distance of a thing, unknown floor may have a place to reach it from, or more of its room.
NEAR_M = 2.0
#: A border beside something that belongs to the wanted room is worth this much way.
HINT_M = 3.0
#: What stands in a room of each kind, as instructions name it.
ROOMS: dict[str, tuple[str, ...]] = {
    "kitchen": ("fridge", "stove", "hood", "counter"),
    "bathroom": ("toilet", "bathtub", "shower", "towel", "washing_machine"),
    "bedroom": ("bed", "nightstand", "wardrobe"),
    "living room": ("tv_monitor", "couch"),
    "dining room": ("chair", "table"),
    "office": ("desk", "keyboard"),
}
#: Other names of furniture in instructions.
NAMES: dict[str, tuple[str, ...]] = {
    "couch": ("couch", "sofa"),
    "chest_of_drawers": ("chest of drawers", "dresser"),
    "nightstand": ("nightstand", "bedside table"),
}
#: Red, green and blue of the colours that instructions name.
COLOURS: dict[str, tuple[float, float, float]] = {
    "red": (0.8, 0.14, 0.12),
    "orange": (0.92, 0.49, 0.1),
    "yellow": (0.92, 0.78, 0.16),
    "green": (0.2, 0.6, 0.25),
    "blue": (0.13, 0.32, 0.75),
    "purple": (0.5, 0.25, 0.62),
    "pink": (0.92, 0.5, 0.62),
    "brown": (0.45, 0.3, 0.18),
    "black": (0.12, 0.12, 0.13),
    "gray": (0.5, 0.5, 0.5),
    "white": (0.92, 0.92, 0.92),
}
#: Things farther than this are in another room.
ROOM_M = 3.5


def free_cells(grid: GridMap, pose: Pose) -> Array:
    """Where the base fits. It may leave a place that looks too narrow."""
    free = (grid.floor | _unknown(grid) & ~_unexplored(grid)) & ~grown(grid.height > 0, RADIUS_M)
    rows, columns = _square(pose, 0.2)
    free[rows, columns] |= grid.height[rows, columns] == 0
    return free


def _unknown(grid: GridMap) -> Array:
    return np.asarray(~grid.floor & (grid.height == 0))


def _unexplored(grid: GridMap) -> Array:
    """Unknown floor without gaps between pixels and the narrow shadows of the robot and of furniture."""
    unknown = _unknown(grid)
    return np.asarray(unknown & _widened(~_widened(~unknown, SHADOW_CELLS), SHADOW_CELLS))


def _square(pose: Pose, radius_m: float) -> tuple[slice, slice]:
    i, j = cells_of(np.array([pose.x, pose.y]))
    reach = int(radius_m / CELL_M)
    return slice(i - reach, i + reach + 1), slice(j - reach, j + reach + 1)


def frontiers(grid: GridMap, free: Array, done: list[Pose]) -> list[Array]:
    """Borders between free cells and unknown ones, as rows of cells, except those looked at from `done`."""
    border = free & _widened(_unexplored(grid), 1)
    for pose in done:
        rows, columns = _square(pose, SEEN_M)
        border[rows, columns] = False
    return [part for part in components(border) if len(part) >= MIN_FRONTIER]


def _widened(mask: Array, cells: int) -> Array:
    """The mask and the cells within a square around each of its own."""
    result = mask.copy()
    for axis in (0, 1):
        once = result.copy()
        for shift in range(1, cells + 1):
            result |= np.roll(once, shift, axis) | np.roll(once, -shift, axis)
    return result


def next_frontier(
    grid: GridMap, free: Array, pose: Pose, done: list[Pose], hints: Array, towards: Array | None = None
) -> Array | None:
    """The cell of a border that is near, long and beside one of the points in `hints`.

    None without one, or without one near `towards`.
    """
    here = np.zeros_like(free)
    here[tuple(cells_of(np.array([pose.x, pose.y])))] = True
    way = distances(free, here)
    best: tuple[float, Array] | None = None
    for part in frontiers(grid, free, done):
        lengths = way[part[:, 0], part[:, 1]]
        cost = float(lengths.min())
        if not np.isfinite(cost):
            continue
        middle = part[np.argmin(np.linalg.norm(part - part.mean(axis=0), axis=1) + 1e3 * np.isinf(lengths))]
        # A metre of border is worth half a metre of way.
        cost -= 0.5 * min(2.0, len(part) * CELL_M)
        if len(hints) and np.linalg.norm(hints - centre_of(middle), axis=1).min() < NEAR_M:
            cost -= HINT_M
        if towards is not None and np.linalg.norm(centre_of(middle) - towards[:2]) > NEAR_M:
            continue
        if best is None or cost < best[0]:
            best = (cost, middle)
    return None if best is None else best[1]


def is_known(grid: GridMap, free: Array, cell: Array) -> bool:
    """Whether a border near a cell is no longer one."""
    return all(np.linalg.norm(part - cell, axis=1).min() * CELL_M > 0.4 for part in frontiers(grid, free, []))


def category_number(name: object) -> int:
    return CATEGORIES.index(name) if isinstance(name, str) and name in CATEGORIES else -1


def is_in_room(grid: GridMap, point: Array, room: str) -> bool | None:
    """Whether a point is in a room of a kind, by the furniture in sight of it; None if no furniture shows it."""
    votes: dict[str, float] = {}
    for name, categories in ROOMS.items():
        for category in categories:
            cells = np.argwhere(grid.tops[category_number(category)] > 0)
            if len(cells):
                away = np.linalg.norm(centre_of(cells) - point[:2], axis=1)
                near = cells[away < ROOM_M]
                nearest = near[np.argsort(away[away < ROOM_M])[:20:4]]
                if any(_sees(grid, point, centre_of(cell)) for cell in nearest):
                    weight = 0.4 if category in ("chair", "table", "couch", "washing_machine") else 1.0
                    votes[name] = votes.get(name, 0.0) + weight
    if not votes:
        return None
    return votes.get(room, 0.0) >= max(votes.values())


def hints(grid: GridMap, category: int, room: str | None) -> Array:
    """Points of the furniture of a category and of what else stands in its room."""
    numbers = {category, *(category_number(name) for name in ROOMS.get(room or "", ()))} - {-1}
    cells = np.argwhere((grid.tops[sorted(numbers)] > 0).any(axis=0))
    return np.asarray(centre_of(cells[::8]))


def _sees(grid: GridMap, start: Array, end: Array) -> bool:
    """Whether no wall is between two points."""
    count = max(2, int(np.linalg.norm(end - start[:2]) / CELL_M))
    line = start[:2] + np.linspace(0.0, 1.0, count)[:, None] * (end - start[:2])
    rows, columns = cells_of(line).T
    walls = grid.tops[category_number("wall")]
    return not bool((walls[rows[2:-2], columns[2:-2]] > 1.0).any())


def room_of(text: str, category: str, last: bool) -> str | None:
    """The room in which the instruction's first or last thing of a category stands, if it says so."""
    names = "|".join(NAMES.get(category, (category.replace("_", " "),)))
    found = [*re.finditer(rf"(?<!bedside )\b(?:{names})\b(?: in the (living room|dining room|\w+))?", text.lower())]
    room = found[-1 if last else 0].group(1) if found else None
    return room if room in ROOMS else None


def colour_in(text: str) -> str | None:
    """The first colour that an instruction names, which is the object's."""
    found = re.search(rf"\b({'|'.join(COLOURS)})\b", text.lower().replace("grey", "gray"))
    return found.group(1) if found else None


def colour_of(rgb: Array) -> str:
    """The colour of that name which is most like a colour in a picture, in any light."""
    top = max(float(rgb.max()), 0.02)

    def unlike(name: str) -> float:
        named = np.array(COLOURS[name])
        return float(((rgb / top - named / named.max()) ** 2).sum() + 0.5 * (top - named.max()) ** 2)

    return min(COLOURS, key=unlike)
