"""Gymnasium environments give the same results through the bridge as in a plain loop."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sim.bridge import Bridge, bridge, simulator_process

gymnasium: Any = pytest.importorskip("gymnasium")

from robot_eval_client.errors import ActionError  # noqa: E402
from robot_eval_client.sim import SimServer  # noqa: E402
from robot_eval_client.sim.adapters.gymnasium_env import gymnasium_env  # noqa: E402
from robot_eval_client.sim.spaces import ActionMap, readings_of, sensors_of  # noqa: E402
from robot_eval_client.sim.success import Moment, success_rule  # noqa: E402

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "serve_gymnasium.py"


def plain(name: str, seed: int, actions: list[Any]) -> list[tuple[Any, ...]]:
    """Observation, reward, done and inner state after reset and each step, without a bridge."""
    env = gymnasium.make(name)
    observation, _ = env.reset(seed=seed)
    seen = [(np.array(observation), 0.0, False, np.array(env.unwrapped.state))]
    for action in actions:
        observation, reward, terminated, truncated, _ = env.step(action)
        done = terminated or truncated
        seen.append((np.array(observation), float(reward), done, np.array(env.unwrapped.state)))
        if done:
            break
    env.close()
    return seen


def bridged(sim: Bridge, name: str, seed: int, actions: list[Any]) -> list[tuple[Any, ...]]:
    frames = [sim.reset(seed=seed, env={"id": name})]
    for action in actions:
        if frames[-1]["done"]:
            break
        frames.append(sim.step(action))
    return [
        (f["observation"]["observation"], f["state"]["reward"], f["done"], f["state"]["sim_state"]) for f in frames
    ]


def same(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> bool:
    return len(one) == len(other) and all(
        np.array_equal(a, b) for left, right in zip(one, other) for a, b in zip(left, right)
    )


@pytest.mark.parametrize("seed", [0, 11, 2**32 - 1])
def test_each_step_is_bit_identical_to_a_plain_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pushes = [rng.uniform(-2, 2, 1).astype(np.float32) for _ in range(60)]
    sides = [int(rng.integers(2)) for _ in range(60)]
    with SimServer(gymnasium_env()) as server, bridge(server.url, task=choice("Pendulum-v1")) as sim:
        vectors = [push.astype(np.float64) for push in pushes]
        assert same(bridged(sim, "Pendulum-v1", seed, vectors), plain("Pendulum-v1", seed, pushes))
        names = [str(side) for side in sides]
        assert same(bridged(sim, "CartPole-v1", seed, names), plain("CartPole-v1", seed, sides))


def test_an_episode_does_not_depend_on_earlier_episodes() -> None:
    with SimServer(gymnasium_env()) as server, bridge(server.url, task=choice("Pendulum-v1")) as sim:
        actions = [[0.5]] * 10
        first = bridged(sim, "Pendulum-v1", 3, actions)
        bridged(sim, "Pendulum-v1", 4, [[-2.0]] * 17)
        bridged(sim, "CartPole-v1", 3, ["0"] * 5)
        assert same(bridged(sim, "Pendulum-v1", 3, actions), first)


def test_the_example_serves_a_custom_environment_in_five_lines() -> None:
    lines = [line for line in EXAMPLE.read_text().split('"""')[2].splitlines() if line.strip()]
    assert len(lines) <= 5
    with simulator_process(str(EXAMPLE)) as (_, url), bridge(url) as sim:
        assert sim.connected["simulator"]["env"] == "Pendulum-v1"
        assert sim.capabilities["action_space"] == {"type": "continuous", "low": [-2.0], "high": [2.0], "names": ["action"]}
        assert sim.reset(seed=1)["type"] == "frame"
        assert sim.step([0.5])["state"]["success"] is False
    assert callable(runpy.run_path(str(EXAMPLE), run_name="imported")["serve_env"])


def test_an_unknown_environment_is_a_data_fault_with_similar_names() -> None:
    with SimServer(gymnasium_env("Pendulum-v1")) as server, bridge(server.url) as sim:
        answer = sim.reset(env={"id": "Pendulun-v1"})
        assert answer["fault"] == "data" and "Pendulum-v1" in answer["message"]
        assert sim.reset()["type"] == "frame"


def test_a_step_after_the_end_is_rejected() -> None:
    with SimServer(lambda: gymnasium.make("CartPole-v1", max_episode_steps=1)) as server, bridge(server.url) as sim:
        sim.reset()
        frame = sim.step("1")
        assert frame["done"] is True and frame["state"]["ended_by"] == "truncated"
        assert sim.step("1")["type"] == "error"


def test_images_are_rendered_only_on_request() -> None:
    pytest.importorskip("pygame")
    make = gymnasium_env("CartPole-v1")
    task = {"name": "t", "type": "external", "config": {"env": {"render_mode": "rgb_array"}}}
    with SimServer(make) as server:
        with bridge(server.url, task=task, sensors=["render"]) as sim:
            shape = sim.capabilities["sensors"]["render"]["shape"]
            frame = sim.reset(env={"render_mode": "rgb_array"})
            assert list(frame["observation"]) == ["render"] and list(frame["observation"]["render"].shape) == shape
        with bridge(server.url, task=task, sensors=["observation"]) as sim:
            assert list(sim.reset(env={"render_mode": "rgb_array"})["observation"]) == ["observation"]


class Spaced(gymnasium.Env):  # type: ignore[misc]
    """An environment with the given spaces."""

    def __init__(self, action_space: Any, observation_space: Any = None) -> None:
        self.action_space = action_space
        self.observation_space = observation_space or gymnasium.spaces.Box(-1, 1, (2,))


def spaces() -> dict[str, Any]:
    s = gymnasium.spaces
    return {
        "box": s.Box(-2, 3, (2, 2), np.float32),
        "unbounded": s.Box(-np.inf, np.inf, (3,), np.float64),
        "discrete": s.Discrete(3, start=-1),
        "multi": s.MultiDiscrete([3, 4]),
        "binary": s.MultiBinary(3),
        "dict": s.Dict({"arm": s.Box(-1, 1, (3,)), "grip": s.Discrete(2), "deep": s.Tuple((s.MultiDiscrete([2, 2]),))}),
    }


@pytest.mark.parametrize("name", ["box", "unbounded", "discrete", "multi", "binary", "dict"])
def test_every_element_of_the_action_space_can_be_expressed(name: str) -> None:
    space = spaces()[name]
    actions = ActionMap(Spaced(space))
    description = actions.description
    if description["type"] == "discrete":
        assert all(space.contains(actions(action)) for action in description["actions"])
        return
    assert np.isfinite(description["low"]).all() and np.isfinite(description["high"]).all()
    assert len(description["names"]) == len(set(description["names"])) == len(description["low"])
    space.seed(0)
    for _ in range(20):
        sample = space.sample()
        given = actions(flat(space, sample))
        assert space.contains(given)
        np.testing.assert_array_equal(flat(space, given), flat(space, sample))


def flat(space: Any, value: Any) -> Any:
    """A nested value as one vector, in the order of the space."""
    if isinstance(space, gymnasium.spaces.Dict):
        return np.concatenate([flat(part, value[name]) for name, part in space.spaces.items()])
    if isinstance(space, gymnasium.spaces.Tuple):
        return np.concatenate([flat(part, item) for part, item in zip(space.spaces, value)])
    return np.asarray(value, dtype=np.float64).reshape(-1)


@pytest.mark.parametrize("vector", [[0.5, 1.0], [3.0, 0.0], [-1.0, 0.0]])
def test_values_outside_a_discrete_space_are_an_agent_fault(vector: list[float]) -> None:
    with pytest.raises(ActionError):
        ActionMap(Spaced(gymnasium.spaces.MultiDiscrete([3, 4])))(np.array(vector))


def test_observations_become_named_sensors() -> None:
    s = gymnasium.spaces
    space = s.Dict({"cam": s.Box(0, 255, (4, 5, 3), np.uint8), "depth": s.Box(0, 9, (4, 5)), "pair": s.Tuple((s.Discrete(3), s.Text(5)))})
    kinds = {name: sensor["kind"] for name, sensor in sensors_of(space).items()}
    assert kinds == {"cam": "rgb", "depth": "depth", "pair.0": "state", "pair.1": "text"}
    assert set(readings_of(space.sample())) == set(kinds)


def test_success_is_read_from_info_or_computed_by_a_rule() -> None:
    def after(**info: Any) -> Moment:
        return Moment(1.0, 5.0, True, False, info)

    assert success_rule("info")(after(success=True)) and success_rule("info")(after(is_success=np.float32(1)))
    assert not success_rule("info")(after()) and not success_rule("info")(after(is_success=0.0))
    assert success_rule("terminated")(after()) and not success_rule("truncated")(after())
    assert success_rule("return>=5")(after()) and not success_rule("reward >= 1.5")(after())
    assert success_rule(lambda moment: moment.total > 4)(after())
    with pytest.raises(ValueError, match="return>=X"):
        success_rule("sometimes")


def choice(name: str) -> dict[str, Any]:
    return {"name": "t", "type": "external", "config": {"env": {"id": name}}}
