"""The robot as the policy sees it: pose and joints from the last observation, and scripts of its actions."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

import numpy as np

from robot_eval_client import Action, Chunk, Observation

from .mapping import Array, GridMap, Pose, points_of
from .planning import STEP_M, TURN_RAD

T = TypeVar("T")
#: Yields an action, and receives the next observation.
Script = Generator[Action, Observation, T]

#: The action vector, and the largest change of each target in a control step.
DOFS = ("lift", "arm", "yaw", "pitch", "gripper", "pan", "tilt")
PACE = np.array([0.007, 0.014, 0.07, 0.07, 0.004, 0.13, 0.13])
OPEN_M = 0.04
#: Actions in one reply, during which nothing is observed.
CHUNK = 40
#: Views that together show everything around the robot, and where the head looks on the way.
AROUND = (-3.6, -2.4, -1.2, 0.0, 1.2)
AHEAD = (0.0, -0.5)
#: The base counts as being where an action leads within these.
OFF_M, OFF_RAD = 0.06, 0.08


class Robot:
    def __init__(self, observation: Observation, target: int) -> None:
        self.grid = GridMap()
        #: Whether points that the head sees are added to the map.
        self.maps = True
        self._target = target
        self.observation = observation
        self.command = np.array(observation["qpos"], dtype=np.float64)
        self._sense(observation)
        # The head does not see the floor nearer than this.
        self.grid.mark_free(self.pose, 1.1)

    @property
    def pose(self) -> Pose:
        return Pose.of(self.observation["gps"], self.observation["compass"])

    @property
    def holds(self) -> bool:
        return bool(self.observation["held_object"][0] > 0.5)

    def joint(self, name: str) -> float:
        return float(self.observation["qpos"][DOFS.index(name)])

    def seen(self, category: int) -> Array:
        """Points of a category in the head's view, on the map."""
        depth, semantic = self.observation["depth_head"], self.observation["semantic_head"]
        points = points_of(depth, self.joint("pan"), self.joint("tilt"))
        return self.pose.to_map(points[(semantic == category) & (depth > 0)])

    def _sense(self, observation: Observation) -> None:
        self.observation = observation
        self.grid.mark_free(self.pose, 0.34)
        if self.maps:
            self.grid.add(observation, self.pose, self.joint("pan"), self.joint("tilt"), self._target)

    def act(self, action: Action) -> Script[None]:
        self._sense((yield action))

    def move(self, pace: float = 1.0, settle: int = 3, **targets: float) -> Script[None]:
        """Moves joints to their targets at a share of the usual pace."""
        goal = self.command.copy()
        for name, value in targets.items():
            goal[DOFS.index(name)] = value
        steps = max(1, int(np.ceil(np.max(abs(goal - self.command) / (PACE * pace)))))
        rows = [self.command + (goal - self.command) * (i + 1) / steps for i in range(steps)] + [goal] * settle
        self.command = goal
        for i in range(0, len(rows), CHUNK):
            yield from self.act(Chunk([row.tolist() for row in rows[i : i + CHUNK]]))

    def look(self, pan: float, tilt: float) -> Script[None]:
        yield from self.move(pan=float(np.clip(pan, -4.0, 1.7)), tilt=float(np.clip(tilt, -1.5, 0.7)), settle=4)

    def look_at(self, point: Array) -> Script[None]:
        x, y, z = self.pose.to_base(point)
        pan = np.arctan2(y, x)
        yield from self.look(pan - 2 * np.pi if pan > 1.7 else pan, np.arctan2(z - 1.33, np.hypot(x, y)))

    def scan(self, pans: tuple[float, ...] = AROUND, tilt: float = AHEAD[1]) -> Script[None]:
        for pan in pans:
            yield from self.look(pan, tilt)

    def drive(self, actions: list[str]) -> Script[bool]:
        """Executes named actions until the base is not where they should lead."""
        if abs(self.command[5] - AHEAD[0]) > 0.1 or abs(self.command[6] - AHEAD[1]) > 0.1:
            yield from self.look(*AHEAD)
        for name in actions:
            start = self.pose
            yield from self.act(name)
            step = {"move_forward": STEP_M, "move_backward": -STEP_M}.get(name, 0.0)
            turn = {"turn_left": TURN_RAD, "turn_right": -TURN_RAD}.get(name, 0.0)
            x, y = start.to_map(np.array([step, 0.0, 0.0]))[:2]
            off = np.hypot(self.pose.x - x, self.pose.y - y)
            if off > OFF_M and step:
                self.grid.block(self.pose, 0.34 * np.sign(step))
            if off > OFF_M or abs(wrapped(self.pose.theta - start.theta - turn)) > OFF_RAD:
                return False
        return True

    def stow(self, lift: float = 0.65) -> Script[None]:
        """Folds the hand back over the base, so that the robot fits through doors."""
        if abs(self.command[1]) > 0.01:
            yield from self.move(arm=0.0)
        if self.command[2] < 3.0:
            yield from self.move(yaw=np.pi, pace=0.7)
        if abs(self.command[0] - lift) > 0.02:
            yield from self.move(lift=lift)


def wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2 * np.pi) - np.pi)

