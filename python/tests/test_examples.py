"""The example policies behave as documented."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from evaluator import Evaluator
from hash_policy import HashPolicy, action_of, canonical_bytes, ecmascript_number
from pick_place_policy import PickPlacePolicy
from vln_policy import VlnPolicy, turns_in

from robot_eval_client import Episode, Observation, PolicyServer

SPACE = {"name": "hybrid", "actions": ["stop"], "shape": [3], "range": [[-1, 1], [0, 0.04], [2, 4]]}


def test_the_hash_covers_the_documented_bytes() -> None:
    observation = {
        "z": 1.5,
        "depth": np.array([[1, 2]], dtype=np.float32),
        "goal": "Tür",
        "info": {"b": [1, 0.5, 1e-7], "a": None, "ü": True},
    }
    assert canonical_bytes(observation) == (
        b"depth\x00\x00\x00\x80\x3f\x00\x00\x00\x40\n"
        b"goal\x00T\xc3\xbcr\n"
        b'info\x00{"a":null,"b":[1,0.5,1e-7],"\xc3\xbc":true}\n'
        b"z\x00\x00\x00\x00\x00\x00\x00\xf8\x3f\n"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-2.5, "-2.5"), (100.0, "100"), (1e20, "100000000000000000000"),
        (1e21, "1e+21"), (1.5e300, "1.5e+300"), (0.1, "0.1"), (1e-6, "0.000001"), (1e-7, "1e-7"), (-1.25e-9, "-1.25e-9"),
        (123456.789, "123456.789"), (5e-324, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
        (0.30000000000000004, "0.30000000000000004"), (1234567890123456789.0, "1234567890123456800"),
    ],
)  # fmt: skip
def test_numbers_are_formatted_as_in_ecmascript(value: float, text: str) -> None:
    assert ecmascript_number(value) == text
    assert float(text) == value


def test_the_hash_policy_stays_within_the_range_and_never_stops() -> None:
    digest = bytes([0, 255, 51]) + bytes(29)
    assert action_of(digest, SPACE) == pytest.approx([-0.2, 0.024, 2.88])
    assert action_of(digest, {"shape": [2], "range": [0, 1]}) == pytest.approx([0.4, 0.6])
    names = {"name": "discrete", "actions": ["stop", "a", "b", "c"]}
    assert action_of(bytes([0, 0, 0, 4]) + bytes(28), names) == "b"


def test_the_hash_is_equal_in_both_encodings_and_chained() -> None:
    rng = np.random.default_rng(3)
    steps: list[dict[str, Any]] = [
        {
            "rgb": rng.integers(0, 256, (12, 9, 3), dtype=np.uint8),
            "depth": rng.random((12, 9), dtype=np.float32),
            "semantic": rng.integers(0, 65536, (12, 9), dtype=np.uint16),
            "qpos": np.append(rng.normal(size=5), [-0.0, 2.0]),
            "instruction": {"text": "go", "weight": 1e-9},
        }
        for _ in range(3)
    ]
    actions: dict[str, list[Any]] = {}
    with PolicyServer(HashPolicy, sessions=2) as server:
        for encoding in ("json", "msgpack"):
            with Evaluator(server.url, encoding) as evaluator:
                evaluator.reset(episode_id="e7", action_space=SPACE)
                actions[encoding] = [evaluator.act(step)["action"] for step in steps]
    digest = hashlib.sha256(b"e7").digest()
    expected = []
    for step in steps:
        digest = hashlib.sha256(digest + canonical_bytes(step | {"qpos": step["qpos"] + 0.0})).digest()
        expected.append(action_of(digest, SPACE))
    assert actions["json"] == actions["msgpack"] == expected


def test_turns_are_parsed_from_the_instruction() -> None:
    text = "Turn slightly right, walk past the bed on your left and take the door on your left. Turn around."
    assert turns_in(text) == [-30, 90, 180]


def test_the_vln_policy_turns_moves_and_stops_at_the_wall() -> None:
    policy = VlnPolicy()
    policy.reset(Episode({"instruction": {"text": "Turn right and walk to the wall."}}))
    open_space, wall = np.full((48, 64), 3, np.float32), np.full((48, 64), 0.3, np.float32)
    taken = [policy.act(Observation({"depth": open_space})) for _ in range(9)]
    assert taken == ["turn_right"] * 6 + ["move_forward"] * 3
    assert policy.act(Observation({"depth": wall})) == "stop"


def test_the_pick_place_policy_reaches_grasps_carries_and_releases() -> None:
    """Simulates a robot that reaches its targets immediately, with its arm along +x and its base along +y."""
    start, goal = [0.65, 0.1, 0.74], [0.8, -0.15, 0.74]
    policy = PickPlacePolicy()
    policy.reset(
        Episode(
            {
                "goals": {"target_object": {"name": "cup"}, "target_location": {"position": goal}},
                "scene_objects": [{"name": "cup", "position": start}],
                "action_space": {"range": [[-0.5, 0.5]] * 6 + [[0.0, 0.04]]},
            }
        )
    )
    qpos = np.array([0, 0, 0, 0.9, 0.1, 0, 0.04])
    closed_at: list[Any] = []
    for _ in range(500):
        hand = np.array([0.38 + qpos[4], qpos[0], qpos[3] + 0.1, 1, 0, 0, 0])
        action = policy.act(Observation({"qpos": qpos, "ee_pose": hand}))
        if isinstance(action, str):
            break
        moved = np.asarray(action)
        assert np.abs(moved - qpos)[:6].max() <= 0.05 + 1e-9
        if moved[6] == 0:
            closed_at.append(hand[:3])
        qpos = moved.copy()
    assert action == "stop"
    np.testing.assert_allclose(closed_at[0], start, atol=0.01)
    np.testing.assert_allclose(closed_at[-1], goal, atol=0.02)
