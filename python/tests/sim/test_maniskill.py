"""ManiSkill gives the same results through the bridge as in a plain loop. Skipped if it is not installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sim.bridge import Bridge, bridge

torch: Any = pytest.importorskip("torch")
pytest.importorskip("mani_skill")
gymnasium: Any = pytest.importorskip("gymnasium")

from robot_eval_client.sim import SimServer  # noqa: E402
from robot_eval_client.sim.adapters.maniskill_env import maniskill_env  # noqa: E402

STEPS = 10
ENV = {"id": "PickCube-v1"}


def actions(seed: int, size: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [rng.uniform(-1, 1, size).astype(np.float32) for _ in range(STEPS)]


def plain(seed: int) -> list[tuple[Any, bool, float]]:
    env = gymnasium.make("PickCube-v1", obs_mode="state_dict", sim_backend="cpu", render_backend="none", num_envs=1)
    torch.manual_seed(seed)
    _, info = env.reset(seed=seed, options={"reconfigure": True})
    seen = [(env.unwrapped.get_state().numpy()[0], bool(info["success"][0]), 0.0)]
    for action in actions(seed, env.unwrapped.single_action_space.shape[0]):
        _, reward, _, _, info = env.step(action)
        seen.append((env.unwrapped.get_state().numpy()[0], bool(info["success"][0]), float(reward[0])))
    env.close()
    return seen


def bridged(sim: Bridge, seed: int) -> list[dict[str, Any]]:
    size = len(sim.capabilities["action_space"]["low"])
    frames = [sim.reset(seed=seed, env=ENV)]
    return frames + [sim.step(action.astype(np.float64)) for action in actions(seed, size)]


@pytest.fixture(scope="module")
def url() -> Any:
    with SimServer(maniskill_env("PickCube-v1")) as server:
        yield server.url


def test_states_and_success_equal_those_of_a_plain_loop(url: str) -> None:
    with bridge(url) as sim:
        frames = bridged(sim, 5)
    for frame, (state, success, reward) in zip(frames, plain(5), strict=True):
        np.testing.assert_array_equal(frame["state"]["sim_state"], state.astype(np.float64))
        assert frame["state"]["success"] == success and frame["state"]["reward"] == reward


def test_an_episode_does_not_depend_on_earlier_episodes(url: str) -> None:
    with bridge(url) as sim:
        first = [frame["state"]["state_hash"] for frame in bridged(sim, 8)]
        assert bridged(sim, 9)[0]["state"]["state_hash"] != first[0]
        assert [frame["state"]["state_hash"] for frame in bridged(sim, 8)] == first


@pytest.mark.parametrize(
    "env", [{"id": "PickCub-v1"}, {**ENV, "robot_uids": "nobody"}, {**ENV, "control_mode": "mind"}, {**ENV, "obs_mode": "smell"}]
)
def test_an_unknown_maniskill_environment_is_a_data_fault(url: str, env: dict[str, Any]) -> None:
    with bridge(url) as sim:
        answer = sim.reset(env=env)
        assert answer["type"] == "error" and answer["fault"] == "data", answer
        assert sim.reset(env=ENV)["type"] == "frame"
