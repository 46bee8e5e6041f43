"""Kinematics of Stretch's arm, grasps of what the head camera sees, and places to put it down."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .mapping import Array, GridMap, Pose, cells_of, centre_of

#: The vertical axis of the wrist with the arm drawn in, in the frame of the base (the arm extends to -y).
WRIST = np.array([-0.0214, -0.1450])
#: Height of the pitch joint at lift 0, and its distance from the point between the fingers.
WRIST_M, HAND_M = 0.1175, 0.23
LIMITS = {"lift": (0.0, 1.1), "arm": (0.0, 0.52), "yaw": (-1.39, 4.42), "pitch": (-1.57, 0.56)}
#: How steeply the fingers point down, the most useful first.
PITCHES = (-0.7, -1.0, -0.45)
#: The pads reach this far below their centre, and the hand passes above things with this gap.
PAD_M, OVER_M = 0.028, 0.03
#: Widest object that fits between the open fingers.
WIDEST_M = 0.07
#: Bottom of the arm's tubes at lift 0.
TUBE_M = 0.155
ASKEW_RAD = 0.45


@dataclass(frozen=True)
class Joints:
    lift: float
    arm: float
    yaw: float
    pitch: float


@dataclass(frozen=True)
class Thing:
    """An object on the map."""

    centre: Array
    bottom: float
    top: float
    #: Height at which the fingers close.
    grasp: float
    #: Direction of the line between the fingers; any if None.
    closing: float | None


@dataclass(frozen=True)
class Reach:
    """Joints above a point and at it, and their cost in control steps."""

    hover: Joints
    at: Joints
    cost: float


def solve(point: Array, pitch: float) -> Joints | None:
    """The joints that bring the point between the fingers to a point in the frame of the base."""
    radius = HAND_M * np.cos(pitch)
    sine = (point[0] - WRIST[0]) / radius
    if abs(sine) > 0.95:
        return None
    yaw = float(np.arcsin(sine))
    arm = float(WRIST[1] - radius * np.cos(yaw) - point[1])
    lift = float(point[2] - WRIST_M - HAND_M * np.sin(pitch))
    joints = Joints(lift, arm, yaw, pitch)
    return joints if all(low <= vars(joints)[name] <= high for name, (low, high) in LIMITS.items()) else None


def hand_at(joints: Joints) -> Array:
    """The point between the fingers in the frame of the base."""
    radius = HAND_M * np.cos(joints.pitch)
    x, y = WRIST[0] + radius * np.sin(joints.yaw), WRIST[1] - joints.arm - radius * np.cos(joints.yaw)
    return np.array([x, y, joints.lift + WRIST_M + HAND_M * np.sin(joints.pitch)])


def grasps(pose: Pose, thing: Thing) -> list[Reach]:
    """Grasps from above by an arm on a base at a pose, the best first."""
    x, y = pose.to_base(np.array([*thing.centre[:2], 0.0]))[:2]
    found = []
    for i, pitch in enumerate(PITCHES):
        at = solve(np.array([x, y, thing.grasp]), pitch)
        hover = solve(np.array([x, y, max(thing.top, thing.grasp) + OVER_M]), pitch)
        if at is None or hover is None:
            continue
        askew = 0.0 if thing.closing is None else abs(np.arcsin(np.sin(pose.theta + at.yaw - thing.closing)))
        if askew < ASKEW_RAD:
            found.append(Reach(hover, at, 40 * i + 60 * abs(at.yaw) + 160 * askew))
    return sorted(found, key=lambda reach: reach.cost)


def put_down(pose: Pose, spot: Array, below: float, pitch: float) -> Reach | None:
    """Joints over and at a place, for an object whose bottom is so far below the fingers."""
    x, y, z = pose.to_base(spot)
    at = solve(np.array([x, y, z + below + 0.005]), pitch)
    for above in (0.08, 0.05):
        hover = solve(np.array([x, y, z + below + above]), pitch)
        if at is not None and hover is not None:
            return Reach(hover, at, 60 * abs(at.yaw))
    return None


def is_clear(grid: GridMap, pose: Pose, reach: Reach, hanging: float = 0.0) -> bool:
    """Whether arm and hand pass over all obstacles on the map, with something that hangs below the fingers."""
    hover, arm = reach.hover, reach.at
    out = -WRIST[1] + arm.arm
    tube = _strip(np.array([-0.09, -0.36]), np.array([-0.05, -max(0.4, out)]), 0.08)
    end, start = hand_at(hover), np.array([WRIST[0], WRIST[1] - hover.arm])
    hand = _strip(start, end[:2], 0.04)
    swing = np.array([hand_at(replace(hover, arm=0.0, yaw=yaw))[:2] for yaw in np.linspace(hover.yaw, 2.0, 6)])
    swing = swing[np.hypot(swing[:, 0], swing[:, 1]) > 0.2]
    checks = ((tube, arm.lift + TUBE_M), (hand, end[2] - 0.02 - hanging), (swing * 1.15, end[2] - 0.02 - hanging))
    for points, limit in checks:
        rows, columns = cells_of(pose.to_map(np.column_stack([points, np.zeros(len(points))]))).T
        if bool((grid.height[rows, columns] > limit).any()):
            return False
    return True


def _strip(start: Array, end: Array, half_m: float) -> Array:
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 1e-6:
        return start[None]
    aside = np.array([-along[1], along[0]]) / length
    steps = np.linspace(0.0, 1.0, max(2, int(length / 0.04) + 1))
    return np.concatenate([start + steps[:, None] * along + shift * aside for shift in (-half_m, 0.0, half_m)])


def measure(points: Array, eye: Array, is_box: bool) -> Thing | None:
    """The object whose visible points these are, seen from `eye`; None if the fingers fit at no height."""
    bottom, top = float(points[:, 2].min()), float(points[:, 2].max())
    towards = points[:, :2].mean(axis=0) - eye[:2]
    sight = float(np.arctan2(towards[1], towards[0]))
    if is_box:
        angle, centre, widths = _rectangle(points)
        if widths[0] > WIDEST_M:
            return None
        grasp = max(bottom + PAD_M, min(top - 0.015, (bottom + top) / 2 + 0.01))
        closing = None if widths[1] - widths[0] < 0.006 and widths[1] < 0.05 else angle
        return Thing(np.array([*centre, bottom]), bottom, top, grasp, closing)
    heights = np.arange(bottom + PAD_M, max(bottom + PAD_M, top - 0.012) + 1e-6, 0.008)
    best: tuple[float, Thing] | None = None
    for z in heights:
        slab = points[abs(points[:, 2] - z) < 0.012]
        if len(slab) < 4:
            continue
        centre, width = _round(slab, sight)
        # A grasp in the middle holds best; a wide object leaves no tolerance for errors.
        cost = abs(z - (bottom + top) / 2) + (3.0 if width > 0.066 else 0.0) + (1.0 if width < 0.012 else 0.0)
        if best is None or cost < best[0]:
            best = (cost, Thing(np.array([*centre, bottom]), bottom, top, float(z), None))
    if best is None:
        centre, _ = _round(points, sight)
        return Thing(np.array([*centre, bottom]), bottom, top, max(bottom + PAD_M, (bottom + top) / 2), None)
    return best[1]


def _round(points: Array, sight: float) -> tuple[Array, float]:
    """Centre and width of a round body of which the side towards the camera is visible."""
    ahead = np.array([np.cos(sight), np.sin(sight)])
    aside = np.array([-ahead[1], ahead[0]])
    across, along = points[:, :2] @ aside, points[:, :2] @ ahead
    width = float(across.max() - across.min())
    return (across.max() + across.min()) / 2 * aside + (along.min() + width / 2) * ahead, width


def _rectangle(points: Array) -> tuple[float, Array, tuple[float, float]]:
    """Direction of the shorter side, centre, and both sides of the smallest rectangle around points, from above."""
    best: tuple[float, float, Array, tuple[float, float]] | None = None
    for angle in np.arange(0, np.pi / 2, np.radians(3)):
        axes = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        turned = points[:, :2] @ axes.T
        low, high = turned.min(axis=0), turned.max(axis=0)
        a, b = high - low
        if best is None or a * b < best[0]:
            centre = (low + high) / 2 @ axes
            best = (a * b, angle if a <= b else angle + np.pi / 2, centre, (min(a, b), max(a, b)))
    assert best is not None
    return best[1], best[2], best[3]


def spots(grid: GridMap, cells: Array, category: int) -> Array:
    """Flat free places on a piece of furniture, as rows of x, y, z, those with the most room around them first."""
    tops = grid.tops[category]

    def flat_share(cell: Array, reach: int) -> float:
        i, j = cell
        around = slice(i - reach, i + reach + 1), slice(j - reach, j + reach + 1)
        z = tops[i, j]
        return float(((abs(tops[around] - z) < 0.02) & (grid.height[around] < z + 0.02)).mean())

    def is_free(cell: Array) -> bool:
        i, j = cell
        return not bool((grid.height[i - 1 : i + 2, j - 1 : j + 2] > tops[i, j] + 0.02).any())

    # One cell in nine may be a hole between pixels.
    fit = [cell for cell in cells if tops[tuple(cell)] > 0.2 and flat_share(cell, 1) > 0.85 and is_free(cell)]
    fit.sort(key=lambda cell: -flat_share(cell, 2) - flat_share(cell, 4))
    return np.array([[*centre_of(cell), tops[tuple(cell)]] for cell in fit]).reshape(-1, 3)
