"""An occupancy grid with the categories of what stands where, from the head's depth and semantic cameras.

All coordinates are in metres relative to the start pose of the robot: x ahead, y to the left, z up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

#: Edge of a cell, and of the square that the map covers.
CELL_M = 0.05
SIZE_M = 30.0
CELLS = int(SIZE_M / CELL_M)
#: Lower points are floor; higher ones are above the robot.
FLOOR_M = 0.05
TOP_M = 1.42
#: Nearer points are parts of the robot, or what it holds.
ROBOT_M = 0.42
#: Beyond this distance a pixel covers more than two cells.
FAR_M = 7.0
#: Vertical field of view of the head camera.
FOV_RAD = np.radians(58)
#: The joint that pans, the one that tilts below it, and the camera on that, in the frame before it.
_PAN, _TILT, _CAMERA = np.array([0.0061, 0, 1.3552]), np.array([-0.0013, 0, -0.0533]), np.array([0.0406, 0, 0.0203])

#: Numbers in semantic images; docs/navigation.md has the list.
CATEGORIES = (
    "unknown", "wall", "floor", "ceiling", "door", "window", "chair", "couch", "plant", "bed", "toilet", "tv_monitor",
    "table", "desk", "shelf", "wardrobe", "cabinet", "nightstand", "counter", "fridge", "stove", "sink", "bathtub",
    "shower", "washing_machine", "mirror", "lamp", "picture", "curtain", "rug", "stairs", "chest_of_drawers", "towel",
    "stool", "hood", "bin", "coat_rack", "keyboard", "box", "mug", "bowl", "bottle", "can", "book", "plate", "ball",
    "toy_block", "cup", "jar", "candle", "apple", "vase", "pepper_mill", "pitcher", "soap_dispenser",
)  # fmt: skip


@dataclass(frozen=True)
class Pose:
    """Of the base: metres ahead and to the left of the start, and radians to the left."""

    x: float
    y: float
    theta: float

    @staticmethod
    def of(gps: Array, compass: Array) -> Pose:
        return Pose(-float(gps[2]), -float(gps[0]), float(compass[0]))

    def to_map(self, points: Array) -> Array:
        """Points in the frame of the base, as rows of x, y, z."""
        c, s = np.cos(self.theta), np.sin(self.theta)
        x, y = points[..., 0], points[..., 1]
        return np.stack([self.x + c * x - s * y, self.y + s * x + c * y, points[..., 2]], axis=-1)

    def to_base(self, points: Array) -> Array:
        c, s = np.cos(self.theta), np.sin(self.theta)
        x, y = points[..., 0] - self.x, points[..., 1] - self.y
        return np.stack([c * x + s * y, c * y - s * x, points[..., 2]], axis=-1)


def points_of(depth: Array, pan: float, tilt: float) -> Array:
    """What each pixel of the head's depth image sees, in the frame of the base."""
    height, width = depth.shape
    focal = height / 2 / np.tan(FOV_RAD / 2)
    left = -(np.arange(width) + 0.5 - width / 2) / focal * depth
    up = -(np.arange(height)[:, None] + 0.5 - height / 2) / focal * depth
    ahead, left, up = depth + _CAMERA[0], left, up + _CAMERA[2]
    ahead, up = np.cos(tilt) * ahead - np.sin(tilt) * up + _TILT[0], np.sin(tilt) * ahead + np.cos(tilt) * up + _TILT[2]
    c, s = np.cos(pan), np.sin(pan)
    return np.stack([c * ahead - s * left + _PAN[0], s * ahead + c * left, up + _PAN[2]], axis=-1)


def cells_of(points: Array) -> Array:
    """Row and column of each point's cell."""
    return np.clip(((points[..., :2] + SIZE_M / 2) / CELL_M).astype(np.intp), 0, CELLS - 1)


def centre_of(cells: Array) -> Array:
    return (np.asarray(cells) + 0.5) * CELL_M - SIZE_M / 2


class GridMap:
    def __init__(self) -> None:
        #: Cells whose floor was seen.
        self.floor = np.zeros((CELLS, CELLS), bool)
        #: Height of the highest obstacle in a cell, 0 without one.
        self.height = np.zeros((CELLS, CELLS), np.float32)
        #: The same for each category.
        self.tops = np.zeros((len(CATEGORIES), CELLS, CELLS), np.float32)
        #: Red, green and blue, from 0 to 1, of things of the wanted category.
        self.colours = np.zeros((CELLS, CELLS, 3), np.float32)

    def add(self, images: Mapping[str, Array], pose: Pose, pan: float, tilt: float, fine: int) -> None:
        """Adds what the head sees. Every second pixel is enough, except of the wanted category `fine`."""
        depth, semantic = images["depth_head"], images["semantic_head"]
        points = points_of(depth, pan, tilt)
        chosen = semantic == fine
        chosen[::2, ::2] = True
        own = points[..., 0] ** 2 + points[..., 1] ** 2
        chosen &= (depth > 0) & (own > ROBOT_M**2) & (own < FAR_M**2)
        points, labels = pose.to_map(points[chosen]), semantic[chosen]
        z = points[:, 2]
        rows, columns = cells_of(points).T
        low = z < FLOOR_M
        self.floor[rows[low], columns[low]] = True
        solid = ~low & (z < TOP_M) & (labels < len(CATEGORIES))
        at = rows[solid], columns[solid]
        np.maximum.at(self.height, at, z[solid])
        np.maximum.at(self.tops, (labels[solid], *at), z[solid])
        mine = solid & (labels == fine)
        self.colours[rows[mine], columns[mine]] = images["rgb_head"][chosen][mine] / 255

    def mark_free(self, pose: Pose, radius_m: float) -> None:
        """The robot stands there, so there is floor, which its own body hides."""
        self.floor |= disc(pose, radius_m) & (self.height == 0)

    def block(self, pose: Pose, distance_m: float) -> None:
        """Something ahead of the base stopped it, which the camera does not see."""
        row, column = cells_of(pose.to_map(np.array([distance_m, 0.0, 0.0])))
        self.height[row, column] = max(self.height[row, column], 0.3)

    def clear(self, category: int, point: Array, radius_m: float) -> None:
        """Removes things of a category near a point from the map, because they may have been moved."""
        near = disc(Pose(point[0], point[1], 0.0), radius_m)
        here = near & (self.tops[category] > 0)
        self.tops[category][here] = 0
        self.height[here] = self.tops[:, here].max(axis=0)


def disc(pose: Pose, radius_m: float) -> Array:
    x = centre_of(np.arange(CELLS))
    return np.asarray((x[:, None] - pose.x) ** 2 + (x[None, :] - pose.y) ** 2 < radius_m**2)


def grown(mask: Array, radius_m: float) -> Array:
    """Cells within a distance of the mask's."""
    result = mask.copy()
    reach = int(radius_m / CELL_M)
    rows, columns = np.nonzero(mask)
    for i in range(-reach, reach + 1):
        width = int(np.sqrt((radius_m / CELL_M) ** 2 - i**2))
        moved = np.clip(rows + i, 0, CELLS - 1)
        for j in range(-width, width + 1):
            result[moved, np.clip(columns + j, 0, CELLS - 1)] = True
    return result


def components(mask: Array, gap: int = 1) -> list[Array]:
    """The mask's connected parts as rows of cells, the largest first. Parts at most `gap` cells apart are one."""
    left = {(int(i), int(j)) for i, j in np.argwhere(mask)}
    steps = [(i, j) for i in range(-gap, gap + 1) for j in range(-gap, gap + 1)]
    found = []
    for seed in sorted(left):
        if seed not in left:
            continue
        left.remove(seed)
        part, queue = [seed], deque([seed])
        while queue:
            i, j = queue.popleft()
            for di, dj in steps:
                cell = (i + di, j + dj)
                if cell in left:
                    left.remove(cell)
                    part.append(cell)
                    queue.append(cell)
        found.append(np.array(part))
    return sorted(found, key=len, reverse=True)
