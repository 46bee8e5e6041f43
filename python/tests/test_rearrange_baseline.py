"""The map, search and arm of the rearrangement baseline."""

from __future__ import annotations

import numpy as np
import pytest
from rearrange_baseline import arm, search
from rearrange_baseline.mapping import (
    CATEGORIES,
    CELLS,
    Array,
    GridMap,
    Pose,
    cells_of,
    components,
    points_of,
)
from rearrange_baseline.planning import STEP_M, TURN_RAD, distances, plan
from rearrange_policy import RearrangePolicy

from robot_eval_client import Episode, Observation

EYE_M = 1.3222
NOTHING = np.zeros((0, 2))


def square(low: float, high: float) -> Array:
    """Cells of a square around the start."""
    mask = np.zeros((CELLS, CELLS), bool)
    i, j = cells_of(np.array([low, low])), cells_of(np.array([high, high]))
    mask[i[0] : j[0], i[1] : j[1]] = True
    return mask


def room() -> GridMap:
    """Floor within 2 m of the start, nothing known outside."""
    grid = GridMap()
    grid.floor = square(-2.0, 2.0)
    return grid


def follow(pose: Pose, actions: list[str]) -> Pose:
    for name in actions:
        turn = {"turn_left": TURN_RAD, "turn_right": -TURN_RAD}.get(name, 0.0)
        step = {"move_forward": STEP_M, "move_backward": -STEP_M}.get(name, 0.0)
        x, y = pose.x + step * np.cos(pose.theta), pose.y + step * np.sin(pose.theta)
        pose = Pose(float(x), float(y), pose.theta + turn)
    return pose


def test_depth_of_the_floor_ahead_becomes_points_at_height_zero() -> None:
    tilt = -0.5
    depth = np.zeros((240, 320))
    # The middle ray of a camera that looks down meets the floor at its height / sin(tilt).
    depth[119:121, 159:161] = 1.3002 / np.sin(0.5)
    points = points_of(depth, 0.0, tilt)[119:121, 159:161].mean(axis=(0, 1))
    assert points[2] == pytest.approx(0.0, abs=0.002)
    assert points[0] == pytest.approx(1.3002 / np.tan(0.5), abs=0.06)
    assert points[1] == pytest.approx(0.0, abs=1e-6)


def test_pose_is_read_from_gps_and_compass_and_inverts_itself() -> None:
    pose = Pose.of(np.array([0.5, 0.0, -2.0]), np.array([0.3]))
    assert (pose.x, pose.y) == (2.0, -0.5)
    point = np.array([0.4, -0.7, 0.9])
    np.testing.assert_allclose(pose.to_base(pose.to_map(point)), point, atol=1e-12)


def test_the_map_has_floor_obstacles_and_categories_of_an_image() -> None:
    grid, table = GridMap(), CATEGORIES.index("table")
    depth, semantic = np.full((240, 320), 2.0, np.float32), np.full((240, 320), table, np.uint16)
    images: dict[str, Array] = {"depth_head": depth, "semantic_head": semantic}
    images["rgb_head"] = np.full((240, 320, 3), 51, np.uint8)
    grid.add(images, Pose(0.0, 0.0, 0.0), 0.0, 0.0, fine=table)
    (i, j) = cells_of(np.array([2.05, 0.0]))
    assert grid.tops[table][i - 1 : i + 2, j].max() > 1.3
    assert grid.height[i - 1 : i + 2, j].max() > 1.3
    np.testing.assert_allclose(grid.colours[grid.height > 0], 0.2, atol=1e-6)
    assert not grid.floor[i, j]


def test_components_are_separate_parts_and_gaps_of_one_cell_join() -> None:
    mask = np.zeros((20, 20), bool)
    mask[2, 2:5] = mask[2, 9:11] = True
    assert [len(part) for part in components(mask)] == [3, 2]
    assert [len(part) for part in components(mask, gap=5)] == [5]


def test_distances_go_around_walls_and_end_at_closed_ones() -> None:
    free = square(-2.0, 2.0)
    source = np.zeros_like(free)
    source[tuple(cells_of(np.array([1.0, 0.0])))] = True
    start = tuple(cells_of(np.array([-1.0, 0.0])))
    assert distances(free, source)[start] == pytest.approx(2.0, abs=0.1)
    wall = cells_of(np.array([0.0, 1.0]))
    free[wall[0], : wall[1]] = False
    assert distances(free, source)[start] == pytest.approx(2 * np.sqrt(2), abs=0.3)
    free[wall[0], :] = False
    assert np.isinf(distances(free, source)[start])


def test_a_plan_ends_at_a_pose_with_a_cost() -> None:
    grid, start = room(), Pose(0.0, 0.0, 0.4)
    free = search.free_cells(grid, start)

    def cost_at(pose: Pose) -> float | None:
        return 0.0 if np.hypot(pose.x - 1.2, pose.y + 1.0) < 0.2 and np.cos(pose.theta - 0.4) < -0.9 else None

    near = np.zeros_like(free)
    near[tuple(cells_of(np.array([1.2, -1.0])))] = True
    actions = plan(free, start, near, cost_at)
    assert actions is not None
    assert cost_at(follow(start, actions)) == 0.0
    assert plan(square(-0.4, 0.4), start, square(-0.4, 0.4), lambda pose: None) is None


def test_frontiers_are_borders_of_unknown_floor_and_not_walls() -> None:
    grid, pose = room(), Pose(0.0, 0.0, 0.0)
    wall = square(-2.1, 2.1) & ~square(-2.0, 2.0)
    (i, j), (k, n) = cells_of(np.array([1.9, -0.6])), cells_of(np.array([2.2, 0.6]))
    opening = slice(i, k), slice(j, n)
    grid.height[wall] = 1.0
    assert search.next_frontier(grid, search.free_cells(grid, pose), pose, [], NOTHING) is None
    grid.height[opening] = 0.0
    grid.floor[opening] = True
    cell = search.next_frontier(grid, search.free_cells(grid, pose), pose, [], NOTHING)
    assert cell is not None
    assert np.linalg.norm(cell - cells_of(np.array([2.1, 0.0]))) < 6
    assert search.next_frontier(grid, search.free_cells(grid, pose), pose, [Pose(2.0, 0.0, 0.0)], NOTHING) is None


@pytest.mark.parametrize(
    ("text", "category", "last", "room_name"),
    [
        ("Put the can from the counter in the kitchen on the table in the living room.", "table", True, "living room"),
        ("Put the can from the counter in the kitchen on the table in the living room.", "counter", False, "kitchen"),
        ("Move the cup from the table in the dining room to the table.", "table", True, None),
        ("Take it from the bedside table in the bedroom to the table.", "table", True, None),
        ("Pick up the cup on the stool and put it down on the sofa in the office.", "couch", True, "office"),
    ],
)
def test_rooms_are_read_from_the_instruction(text: str, category: str, last: bool, room_name: str | None) -> None:
    assert search.room_of(text, category, last) == room_name


@pytest.mark.parametrize("name", search.COLOURS)
def test_a_colour_in_half_the_light_keeps_its_name(name: str) -> None:
    share = 1.0 if name in ("black", "gray", "white") else 0.6
    assert search.colour_of(share * np.array(search.COLOURS[name])) == name
    assert search.colour_in(f"Take the {name} mug from the table.") == name


def test_a_room_is_recognised_by_the_furniture_in_sight() -> None:
    grid = room()
    grid.tops[CATEGORIES.index("stove")][tuple(cells_of(np.array([1.0, 1.0])))] = 0.9
    assert search.is_in_room(grid, np.array([1.0, -1.0]), "kitchen") is True
    assert search.is_in_room(grid, np.array([1.0, -1.0]), "bedroom") is False
    grid.tops[CATEGORIES.index("wall")][:, cells_of(np.array([0.0, 0.0]))[1]] = 1.4
    assert search.is_in_room(grid, np.array([1.0, -1.0]), "kitchen") is None


@pytest.mark.parametrize("pitch", arm.PITCHES)
def test_inverse_kinematics_bring_the_hand_to_the_point(pitch: float) -> None:
    point = np.array([0.05, -0.6, 0.8])
    joints = arm.solve(point, pitch)
    assert joints is not None
    np.testing.assert_allclose(arm.hand_at(joints), point, atol=1e-9)
    assert arm.solve(np.array([0.05, -1.2, 0.8]), pitch) is None


def test_an_arm_does_not_reach_through_what_is_higher() -> None:
    grid, pose = room(), Pose(0.0, 0.0, 0.0)
    thing = arm.Thing(np.array([0.0, -0.6, 0.5]), 0.5, 0.6, 0.55, None)
    reach = arm.grasps(pose, thing)[0]
    assert arm.is_clear(grid, pose, reach)
    grid.height[tuple(cells_of(np.array([-0.05, -0.5])))] = 1.2
    assert not arm.is_clear(grid, pose, reach)


def test_a_cylinder_of_which_one_side_is_seen_is_measured() -> None:
    angles, heights = np.meshgrid(np.linspace(np.pi / 2, 3 * np.pi / 2, 40), np.linspace(0.8, 0.9, 30))
    points = np.column_stack([2 + 0.03 * np.cos(angles).ravel(), 0.03 * np.sin(angles).ravel(), heights.ravel()])
    thing = arm.measure(points, np.array([0.0, 0.0, EYE_M]), is_box=False)
    assert thing is not None
    np.testing.assert_allclose(thing.centre[:2], [2.0, 0.0], atol=0.003)
    assert 0.83 < thing.grasp < 0.89
    assert thing.closing is None


def test_a_box_is_grasped_across_its_shorter_side_and_not_if_both_are_long() -> None:
    u, v = np.meshgrid(np.linspace(-0.06, 0.06, 30), np.linspace(-0.02, 0.02, 20))
    c, s = np.cos(0.3), np.sin(0.3)
    points = np.column_stack([(c * u - s * v).ravel(), (s * u + c * v).ravel(), np.full(u.size, 0.8)])
    thing = arm.measure(points, np.array([-1.0, 0.0, EYE_M]), is_box=True)
    assert thing is not None
    assert thing.closing is not None
    assert abs(np.sin(thing.closing - 0.3 - np.pi / 2)) < 0.06
    assert arm.measure(points * np.array([1.0, 4.0, 1.0]), np.array([-1.0, 0.0, EYE_M]), is_box=True) is None


def test_places_to_put_something_down_are_flat_and_free() -> None:
    grid, table = room(), CATEGORIES.index("table")
    top = square(0.5, 1.0)
    grid.tops[table][top] = grid.height[top] = 0.7
    taken = square(0.5, 0.7)
    grid.height[taken] = 0.8
    places = arm.spots(grid, np.argwhere(top), table)
    assert len(places) > 0
    np.testing.assert_allclose(places[:, 2], 0.7, atol=1e-6)
    assert places[:, :2].max(axis=1).min() > 0.7


def test_the_policy_ends_with_stop_if_it_cannot_know_its_goals_or_its_sensors_fail() -> None:
    policy = RearrangePolicy()
    images = {"depth_head": np.zeros((24, 32)), "semantic_head": np.zeros((24, 32), np.uint16)}
    readings = images | {"rgb_head": np.zeros((24, 32, 3), np.uint8), "qpos": np.zeros(7), "held_object": np.zeros(1)}
    readings |= {"gps": np.zeros(3), "compass": np.zeros(1)}
    policy.reset(Episode({"goals": {"target_object": {"category": "unicorn"}}}))
    assert policy.act(Observation(readings)) == "stop"
    policy.reset(Episode({"goals": None}))
    assert policy.act(Observation(readings | {"depth_head": np.zeros(3)})) == "stop"
