"""robosuite gives bit-identical results through the bridge and in a plain loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sim.bridge import Bridge, bridge

robosuite: Any = pytest.importorskip("robosuite")

from robot_eval_client.sim import SimServer  # noqa: E402
from robot_eval_client.sim.adapters.robosuite_env import robosuite_env  # noqa: E402

STEPS = 15


def actions(seed: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [rng.uniform(-1, 1, 7) for _ in range(STEPS)]


def plain(name: str, seed: int) -> list[tuple[Any, bool, float, Any]]:
    env = robosuite.make(
        name, robots="Panda", seed=seed, hard_reset=False, has_renderer=False,
        has_offscreen_renderer=False, use_camera_obs=False,
    )  # fmt: skip
    observation = env.reset()
    seen = [(env.sim.get_state().flatten(), env._check_success(), 0.0, observation["robot0_eef_pos"])]
    for action in actions(seed):
        observation, reward, _, _ = env.step(action)
        seen.append((env.sim.get_state().flatten(), env._check_success(), reward, observation["robot0_eef_pos"]))
    env.close()
    return seen


def bridged(sim: Bridge, name: str, seed: int) -> list[dict[str, Any]]:
    return [sim.reset(seed=seed, env={"name": name}), *(sim.step(action) for action in actions(seed))]


@pytest.fixture(scope="module")
def url() -> Any:
    with SimServer(robosuite_env("Lift")) as server:
        yield server.url


@pytest.mark.parametrize("name", ["Lift", "Stack", "PickPlace", "PickPlaceCan", "Door"])
def test_states_and_success_equal_those_of_a_plain_loop(url: str, name: str) -> None:
    with bridge(url) as sim:
        frames = bridged(sim, name, 5)
    for frame, (state, success, reward, hand) in zip(frames, plain(name, 5), strict=True):
        np.testing.assert_array_equal(frame["state"]["sim_state"], state)
        np.testing.assert_array_equal(frame["observation"]["robot0_eef_pos"], hand)
        assert frame["state"]["success"] == success and frame["state"]["reward"] == reward


def test_an_episode_does_not_depend_on_earlier_episodes(url: str) -> None:
    with bridge(url) as sim:
        first = [frame["state"]["state_hash"] for frame in bridged(sim, "Lift", 8)]
        bridged(sim, "Lift", 9)
        bridged(sim, "Stack", 8)
        assert [frame["state"]["state_hash"] for frame in bridged(sim, "Lift", 8)] == first
        other = sim.reset(seed=9, env={"name": "Lift"})["state"]["state_hash"]
        assert other != first[0]


def test_the_state_has_the_hand_the_objects_and_the_stages(url: str) -> None:
    with bridge(url) as sim:
        frame = sim.reset(seed=1, env={"name": "Stack"})
        state = frame["state"]
        assert set(state["objects"]) == {"cubeA", "cubeB"} and list(state["subtasks"]) == ["lifted", "stacked"]
        assert len(state["ee_pos"]) == 3 and len(state["ee_quat_wxyz"]) == 4 and state["gripper"] > 0.01
        np.testing.assert_allclose(state["ee_pos"], frame["observation"]["robot0_eef_pos"], atol=1e-6)
        xyzw = frame["observation"]["robot0_eef_quat"]
        np.testing.assert_allclose(np.abs(np.dot(state["ee_quat_wxyz"], np.roll(xyzw, 1))), 1, atol=1e-5)
        geometry = sim.ask(type="geometry")
        assert "<mujoco" in geometry["mjcf"] and "cubeA" in geometry["mjcf"]
        # The model has no path of this machine, only the names of the files sent with it.
        assert 'file="/' not in geometry["mjcf"] and geometry["assets"]
        # Files that were sent once are not sent again.
        again = sim.ask(type="geometry", known=list(geometry["files"].values()))
        assert again["files"] == geometry["files"] and again["assets"] == {}


@pytest.mark.parametrize(
    "env", [{"name": "Lifft"}, {"name": "Lift", "robots": "Nobody"}, {"name": "Lift", "seed": 3}, {"name": "Lift", "controller": "MIND"}]
)
def test_an_unknown_robosuite_environment_is_a_data_fault(url: str, env: dict[str, Any]) -> None:
    with bridge(url) as sim:
        answer = sim.reset(env=env)
        assert answer["type"] == "error" and answer["fault"] == "data", answer
        assert sim.reset(env={"name": "Lift"})["type"] == "frame"


@pytest.mark.parametrize(("controller", "size"), [("BASIC", 7), ("OSC_POSITION", 4), ("JOINT_POSITION", 8)])
def test_controllers_are_selected_by_name(url: str, controller: str, size: int) -> None:
    env = {"name": "Lift", "controller": controller}
    with bridge(url, task={"name": "t", "type": "external", "config": {"env": env}}) as sim:
        assert len(sim.capabilities["action_space"]["low"]) == size
        sim.reset(env=env)
        assert sim.step([0.0] * size)["type"] == "frame"


@pytest.mark.parametrize("name", ["NutAssemblySquare", "TwoArmLift"])
def test_further_environments_run(url: str, name: str) -> None:
    env: dict[str, Any] = {"name": name}
    if name.startswith("TwoArm"):
        env["robots"] = ["Panda", "Panda"]
    with bridge(url, task={"name": "t", "type": "external", "config": {"env": env}}) as sim:
        size = len(sim.capabilities["action_space"]["low"])
        assert sim.reset(seed=2, env=env)["state"]["success"] is False
        assert sim.step([0.0] * size)["state"]["objects"]


def test_the_horizon_ends_the_episode(url: str) -> None:
    with bridge(url) as sim:
        sim.reset(env={"name": "Lift", "horizon": 2})
        assert sim.step([0.0] * 7)["done"] is False
        assert sim.step([0.0] * 7)["done"] is True
