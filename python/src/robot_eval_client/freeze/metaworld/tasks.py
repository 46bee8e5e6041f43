"""The ten environments of Meta-World's MT10: which object they observe, and when they succeed.

A task's `position` and `quaternion` are the readings that the environment's `_get_pos_objects` and `_get_quat_objects`
compute. Its rule is a `near` between a point and a place that is fixed at the reset.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Reading = dict[str, Any]

#: Environments that observe no rotation fill it with zeros.
_NO_ROTATION: Reading = {"kind": "numbers", "values": [0.0] * 4}


@dataclass(frozen=True)
class MetaworldTask:
    instruction: str
    position: Reading
    #: Readings that `position`, `quaternion` and `point` refer to.
    parts: dict[str, Reading]
    quaternion: Reading
    #: The value whose distance from the target decides, and how far it may be.
    point: str
    within_m: float
    #: How the distance is measured, in terms of `near`.
    distance: dict[str, Any] = field(default_factory=dict)
    #: Bodies whose poses are recorded.
    objects: tuple[str, ...] = ("obj",)


def _free_object(instruction: str, point: str, within_m: float) -> MetaworldTask:
    """A cylinder that can be moved freely."""
    return MetaworldTask(
        instruction,
        {"kind": "body_pos", "body": "obj"},
        {"object_rotation": {"kind": "geom_quat_xyzw", "geom": "objGeom"}},
        {"kind": "largest_positive", "of": "object_rotation"},
        point,
        within_m,
    )


def _moved(body: str, offset_m: list[float]) -> tuple[Reading, dict[str, Reading]]:
    """The position of a body plus an offset in world axes."""
    parts: dict[str, Reading] = {"body_position": {"kind": "body_pos", "body": body}, "offset": {"kind": "numbers", "values": offset_m}}
    return {"kind": "sum", "of": ["body_position", "offset"]}, parts


def _drawer(instruction: str, offset_m: list[float], quaternion: Reading, within_m: float) -> MetaworldTask:
    position, parts = _moved("drawer_link", offset_m)
    return MetaworldTask(instruction, position, parts, quaternion, "object", within_m, objects=("drawer_link",))


def _button() -> MetaworldTask:
    position, parts = _moved("button", [0.0, 0.0, 0.193])
    return MetaworldTask("press the button from above", position, parts, {"kind": "body_quat_wxyz", "body": "button"}, "object", 0.024, {"axes": "z"}, ("button",))


def _window(instruction: str, site: str) -> MetaworldTask:
    return MetaworldTask(instruction, {"kind": "site_pos", "site": site}, {}, _NO_ROTATION, "object", 0.05, {"weights": [1, 0, 0]}, ("windowb_a",))


TASKS: dict[str, MetaworldTask] = {
    "reach-v3": _free_object("reach the goal", "tcp_center", 0.05),
    "push-v3": _free_object("push the puck to the goal", "object", 0.05),
    "pick-place-v3": _free_object("bring the puck to the goal", "object", 0.07),
    "door-open-v3": MetaworldTask(
        "open the door",
        {"kind": "geom_pos", "geom": "handle"},
        {"object_rotation": {"kind": "geom_quat_xyzw", "geom": "handle"}},
        {"kind": "largest_positive", "of": "object_rotation"},
        "object",
        0.08,
        {"weights": [1, 0, 0]},
        ("door_link",),
    ),
    "drawer-open-v3": _drawer("open the drawer", [0.0, -0.16, 0.0], {"kind": "body_quat_wxyz", "body": "drawer_link"}, 0.03),
    "drawer-close-v3": _drawer("close the drawer", [0.0, -0.16, 0.05], _NO_ROTATION, 0.065),
    "button-press-topdown-v3": _button(),
    "peg-insert-side-v3": MetaworldTask(
        "insert the peg into the hole",
        {"kind": "site_pos", "site": "pegGrasp"},
        {"object_rotation": {"kind": "site_quat_xyzw", "site": "pegGrasp"}, "peg_head": {"kind": "site_pos", "site": "pegHead"}},
        {"kind": "largest_positive", "of": "object_rotation"},
        "peg_head",
        0.07,
        {"weights": [1, 2, 2]},
        ("peg",),
    ),
    "window-open-v3": _window("slide the window open", "handleOpenStart"),
    "window-close-v3": _window("slide the window closed", "handleCloseStart"),
}
