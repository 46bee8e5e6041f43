"""Find, pick, carry, place: HomeRobot's state machine for open-vocabulary mobile manipulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from robot_eval_client import Episode

from . import arm, search
from .mapping import CELLS, Array, Pose, cells_of, centre_of, components
from .planning import plan
from .robot import AROUND, Robot, Script

#: Plans on one way, and actions of a plan before the next one, because the map grows meanwhile.
PLANS, LEG = 40, 5
#: Tries to grasp before the policy gives up, and frontiers it visits.
TRIES, FRONTIERS, APPROACHES = 5, 60, 4
#: The base works within this distance.
WORK_M = 1.05
#: Numbers of categories with flat sides, which are grasped across the shorter one.
BOXES = [search.category_number(name) for name in ("box", "book", "toy_block")]


@dataclass(frozen=True)
class Goals:
    """The categories in the episode, and the rooms that its instruction names."""

    target: int
    start: int
    goal: int
    colour: str | None
    start_room: str | None
    goal_room: str | None

    @staticmethod
    def of(episode: Episode) -> Goals:
        goals = episode.goals if isinstance(episode.goals, dict) else {}
        names = [str((goals.get(key) or {}).get("category", "")) for key in GOAL_KEYS]
        target, start, goal = [search.category_number(name) for name in names]
        text = episode.instruction
        start_room = search.room_of(text, names[1], last=False)
        colour = search.colour_in(text)
        return Goals(target, start, goal, colour, start_room, search.room_of(text, names[2], last=True))


#: Control steps that work at a pose costs, compared with others; None if it is impossible.
CostAt = Callable[[Pose], float | None]
GOAL_KEYS = ("target_object", "start_receptacle", "target_location")


class Rearranger:
    def __init__(self, robot: Robot, goals: Goals) -> None:
        self.robot = robot
        self.goals = goals
        #: Where the head looked around.
        self._scanned: list[Pose] = []
        #: Where the object was picked, and how far it hangs below the fingers.
        self._picked_at: Array | None = None
        self._below = 0.0
        #: Poses from which a grasp failed, and furniture on which there is no place that the arm reaches.
        self._tried: list[Pose] = []
        self._refused: list[Array] = []

    def run(self) -> Script[None]:
        """Ends when the object is placed, or when the policy gives up."""
        if min(self.goals.target, self.goals.goal) < 0:
            return
        yield from self.robot.stow()
        yield from self.robot.scan()
        self._scanned.append(self.robot.pose)
        for _ in range(TRIES):
            point = yield from self._find(self._object)
            if point is None:
                return
            if (yield from self._fetch(point)) and (yield from self._deliver()):
                return

    # Search

    def _find(self, chosen: Callable[[bool], Array | None]) -> Script[Array | None]:
        """Explores until a thing is found that fits the instruction; in the end one of its category is enough."""
        for _ in range(FRONTIERS):
            found = chosen(True)
            if found is not None:
                return found
            if not (yield from self._explore(lambda: chosen(True) is not None)):
                break
        return chosen(False)

    def _explore(self, is_enough: Callable[[], bool], towards: Array | None = None) -> Script[bool]:
        """Drives to a border of the known floor and looks around there; False if none is left."""
        robot = self.robot
        free = search.free_cells(robot.grid, robot.pose)
        goals, grid = self.goals, robot.grid
        wanted = (goals.goal, goals.goal_room) if robot.holds else (goals.start, goals.start_room)
        cell = search.next_frontier(grid, free, robot.pose, self._scanned, search.hints(grid, *wanted), towards)
        if cell is None:
            return False
        x, y = centre_of(cell)

        def is_seen() -> bool:
            return is_enough() or search.is_known(grid, search.free_cells(grid, robot.pose), cell)

        yield from self._go(np.array([x, y]), 0.35, is_seen)
        if not is_enough():
            yield from robot.scan(AROUND[2:])
        self._scanned.append(robot.pose)
        if not is_seen():
            self._scanned.append(Pose(float(x), float(y), 0.0))
        return True

    def _go(self, point: Array, radius_m: float, is_enough: Callable[[], bool] = lambda: False) -> Script[bool]:
        """Drives to within a distance of a point."""

        def cost_at(pose: Pose) -> float | None:
            return 0.0 if np.hypot(pose.x - point[0], pose.y - point[1]) < radius_m else None

        return (yield from self._dock(point, radius_m, cost_at, is_enough))

    def _dock(
        self,
        point: Array,
        radius_m: float,
        cost_at: CostAt,
        is_enough: Callable[[], bool] = lambda: False,
    ) -> Script[bool]:
        """Drives to a pose near a point for which `cost_at` gives a cost."""
        robot = self.robot
        x = centre_of(np.arange(CELLS))
        sources = (x[:, None] - point[0]) ** 2 + (x[None, :] - point[1]) ** 2 < radius_m**2
        for _ in range(PLANS):
            if is_enough():
                return False
            free = search.free_cells(robot.grid, robot.pose)
            actions = plan(free, robot.pose, sources, cost_at)
            if actions is None:
                return False
            arrives = yield from robot.drive(actions[:LEG])
            if arrives and len(actions) <= LEG and cost_at(robot.pose) is not None:
                return True
        return False

    def _reach(self, point: Array, radius_m: float, cost_of: Callable[[], CostAt]) -> Script[bool]:
        """Docks near a point; as long as that is impossible, looks at it from nearer and explores in its direction."""
        for _ in range(APPROACHES):
            if (yield from self._dock(point, radius_m, cost_of())):
                return True
            if np.hypot(point[0] - self.robot.pose.x, point[1] - self.robot.pose.y) > 1.6:
                yield from self._go(point, 1.5)
            yield from self.robot.look_at(point)
            if (yield from self._dock(point, radius_m, cost_of())):
                return True
            if not (yield from self._explore(lambda: False, towards=point)):
                return False
        return False

    def _object(self, strict: bool) -> Array | None:
        """The nearest object of the category that stands on furniture of the start's; any if not strict."""
        grid, goals, pose = self.robot.grid, self.goals, self.robot.pose
        found = []
        for part in components(grid.tops[goals.target] > 0):
            centre = centre_of(part).mean(axis=0)
            if strict and any(np.linalg.norm(centre - one) < 0.15 for one in self._refused):
                continue
            top = float(grid.tops[goals.target][part[:, 0], part[:, 1]].max())
            fits = self._is_on(centre, goals.start) and self._is_in(centre, goals.start_room)
            if goals.colour is not None:
                rgb = np.median(grid.colours[part[:, 0], part[:, 1]], axis=0)
                fits = fits and search.colour_of(rgb) == goals.colour
            if fits or not strict:
                away = np.hypot(centre[0] - pose.x, centre[1] - pose.y)
                found.append((not fits, float(away), [*centre, top]))
        return np.array(min(found)[2]) if found else None

    def _is_on(self, point: Array, category: int) -> bool:
        if category < 0:
            return True
        i, j = cells_of(point)
        return bool((self.robot.grid.tops[category][i - 5 : i + 6, j - 5 : j + 6] > 0).any())

    def _is_in(self, point: Array, room: str | None) -> bool:
        return room is None or search.is_in_room(self.robot.grid, point, room) is True

    def _receptacle(self, strict: bool) -> Array | None:
        """The nearest piece of furniture of the goal's category on which nothing was picked."""
        pose, found = self.robot.pose, []
        for part in self._goal_parts():
            centre = centre_of(part).mean(axis=0)
            if strict and any(np.linalg.norm(centre - one) < 0.3 for one in self._refused):
                continue
            fits = self._is_in(centre, self.goals.goal_room)
            if fits or not strict:
                found.append((not fits, float(np.hypot(centre[0] - pose.x, centre[1] - pose.y)), centre.tolist()))
        return np.array(min(found)[2]) if found else None

    def _goal_parts(self) -> list[Array]:
        parts = [part for part in components(self.robot.grid.tops[self.goals.goal] > 0.2) if len(part) >= 8]
        at = self._picked_at
        if at is None or self.goals.start != self.goals.goal:
            return parts
        return [part for part in parts if np.linalg.norm(centre_of(part) - at[:2], axis=1).min() > 0.2]

    # Pick

    def _fetch(self, point: Array) -> Script[bool]:
        """Drives to the object, looks at it and picks it up."""
        robot = self.robot
        thing = _guess(point)

        def cost_at() -> CostAt:
            return self._grasp_cost(thing)

        for _ in range(3):
            if not (yield from self._reach(np.array([*thing.centre[:2], thing.top]), WORK_M, cost_at)):
                self._refused.append(point[:2])
                return False
            yield from robot.look_at(np.array([*thing.centre[:2], thing.top]))
            seen = robot.seen(self.goals.target)
            is_box = self.goals.target in BOXES
            seen = seen[np.linalg.norm(seen[:, :2] - thing.centre[:2], axis=1) < (0.15 if is_box else 0.1)]
            if len(seen) < 6:
                robot.grid.clear(self.goals.target, thing.centre, 0.25)
                return False
            eye = robot.pose.to_map(np.array([0.0, 0.0, 1.33]))
            measured = arm.measure(seen, eye, is_box)
            if measured is None:
                self._refused.append(point[:2])
                return False
            thing = measured
            reach = self._best_grasp(robot.pose, thing)
            if reach is not None:
                return (yield from self._pick(thing, reach))
        return False

    def _best_grasp(self, pose: Pose, thing: arm.Thing) -> arm.Reach | None:
        return next((one for one in arm.grasps(pose, thing) if arm.is_clear(self.robot.grid, pose, one)), None)

    def _grasp_cost(self, thing: arm.Thing) -> CostAt:
        def cost_at(pose: Pose) -> float | None:
            if np.hypot(pose.x - thing.centre[0], pose.y - thing.centre[1]) > WORK_M or self._was_tried(pose):
                return None
            reach = self._best_grasp(pose, thing)
            return None if reach is None else reach.cost

        return cost_at

    def _was_tried(self, pose: Pose) -> bool:
        return any(
            np.hypot(one.x - pose.x, one.y - pose.y) < 0.2 and np.cos(one.theta - pose.theta) > 0.95
            for one in self._tried
        )

    def _pick(self, thing: arm.Thing, reach: arm.Reach) -> Script[bool]:
        robot, hover, at = self.robot, reach.hover, reach.at
        robot.maps = False
        yield from robot.move(gripper=0.04)
        yield from self._reach_out(hover)
        yield from robot.move(lift=at.lift, pace=0.6, settle=6)
        yield from robot.move(gripper=0.0, settle=8)
        if robot.holds:
            yield from robot.move(lift=min(1.1, hover.lift + 0.04), pace=0.6, settle=14)
        picked = robot.holds
        if not picked:
            yield from robot.move(gripper=0.04)
            yield from robot.move(lift=hover.lift)
            self._tried.append(robot.pose)
            robot.grid.clear(self.goals.target, thing.centre, 0.25)
        yield from robot.stow()
        robot.maps = True
        if robot.holds:
            robot.grid.clear(self.goals.target, thing.centre, 0.25)
            self._below = thing.grasp - thing.bottom
            self._picked_at = thing.centre
            self._tried = []
            return True
        yield from robot.look_at(thing.centre)
        return False

    def _reach_out(self, joints: arm.Joints, pace: float = 1.0) -> Script[None]:
        """Raises the folded hand, turns it out and extends the arm."""
        yield from self.robot.move(lift=joints.lift, pace=pace)
        yield from self.robot.move(yaw=joints.yaw, pitch=joints.pitch, pace=pace)
        yield from self.robot.move(arm=joints.arm, pace=pace, settle=8)

    # Place

    def _deliver(self) -> Script[bool]:
        """Carries the object to the receptacle and puts it down; false if it was lost."""
        robot = self.robot
        for _ in range(4):
            point = yield from self._find(self._receptacle)
            if point is None or not robot.holds:
                return False
            work = np.array([*point, 0.6])
            if (yield from self._reach(work, WORK_M + 0.6, lambda: self._put_down_cost(work))):
                reach = self._best_put_down(robot.pose, point)
                if reach is not None:
                    return (yield from self._place(reach, point))
            self._refused.append(point[:2])
        return False

    def _spots(self, point: Array) -> Array:
        parts = self._goal_parts()
        part = min(parts, key=lambda cells: float(np.linalg.norm(centre_of(cells) - point[:2], axis=1).min()))
        places = arm.spots(self.robot.grid, part, self.goals.goal)
        return places[:: max(1, len(places) // 40)]

    def _put_down_cost(self, point: Array) -> CostAt:
        places = self._spots(point)

        def cost_at(pose: Pose) -> float | None:
            reach = self._best_put_down(pose, point, places)
            return None if reach is None else reach.cost

        return cost_at

    def _best_put_down(self, pose: Pose, point: Array, places: Array | None = None) -> arm.Reach | None:
        pitch, grid = float(self.robot.command[3]), self.robot.grid
        places = self._spots(point) if places is None else places
        if not len(places):
            return None
        local = pose.to_base(places)
        near = (local[:, 1] < -0.32) & (local[:, 1] > -0.9) & (abs(local[:, 0]) < 0.25)
        for spot in places[near][:8]:
            reach = arm.put_down(pose, spot, self._below, pitch)
            if reach is not None and arm.is_clear(grid, pose, reach, self._below):
                return reach
        return None

    def _place(self, reach: arm.Reach, point: Array) -> Script[bool]:
        robot = self.robot
        yield from robot.look_at(np.array([*point[:2], 0.6]))
        yield from robot.look_at(robot.pose.to_map(arm.hand_at(reach.at)))
        robot.maps = False
        yield from self._reach_out(reach.hover, 0.7)
        if not robot.holds:
            yield from robot.stow()
            robot.maps = True
            return False
        while robot.command[0] > reach.at.lift:
            yield from robot.move(lift=max(reach.at.lift, robot.command[0] - 0.01), pace=0.4, settle=1)
            # The object stands when the lift does not follow.
            if robot.joint("lift") - robot.command[0] > 0.012:
                break
        yield from robot.move(gripper=0.04, settle=6)
        yield from robot.move(lift=min(1.1, robot.command[0] + 0.12), pace=0.6)
        yield from robot.move(arm=0.0, settle=20)
        return True


def _guess(point: Array) -> arm.Thing:
    """An object of which little more than its highest point was seen; from nearer it may be higher."""
    return arm.Thing(point, point[2] - 0.1, point[2] + 0.05, point[2] - 0.05, None)
