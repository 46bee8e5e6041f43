"""The simulator server over a real socket, with environments that fail in various ways."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from sim.bridge import bridge
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as open_socket

from robot_eval_client import Episode
from robot_eval_client.sim import EpisodeError, Frame, SimAdapter, SimServer


class Toy(SimAdapter):
    """An environment whose state is a number to which actions are added. The task's `env` selects its faults."""

    def __init__(self, task: Mapping[str, Any]) -> None:
        self.misdeed = task["env"].get("misdeed")
        self.threads = {threading.get_ident()}
        self.value = 0.0
        self.hold = threading.Event()
        if self.misdeed == "unknown":
            raise EpisodeError("no such environment")

    def capabilities(self) -> dict[str, Any]:
        return {
            "sensors": {"value": {"shape": [1], "dtype": "float64", "kind": "state"}},
            "action_space": {"type": "continuous", "low": [-1.0, -1.0], "high": [1.0, 1.0]},
        }

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        if self.misdeed == "no reset":
            raise EpisodeError(f"{episode.episode_id} has no initial state")
        self.value = float(seed)
        return self._frame()

    def step(self, action: Any) -> Frame:
        self.threads.add(threading.get_ident())
        if self.misdeed == "breaks":
            raise RuntimeError("out of order")
        if self.misdeed == "waits":
            self.hold.wait(30)
        self.value += float(action.sum())
        if self.misdeed == "diverges":
            self.value = float("nan")
        return self._frame()

    def _frame(self) -> Frame:
        info = {"threads": len(self.threads)}
        is_over = self.value > 100
        state = {"success": is_over, "reward": np.float32(0.5), "value": np.array([self.value]), "ok": 1}
        return Frame({"value": np.array([self.value])}, state, is_over, 0.1, info)


def test_an_episode_runs_from_reset_to_its_end() -> None:
    with SimServer(Toy) as server, bridge(server.url) as sim:
        assert sim.connected["protocol_version"] == "1"
        assert sim.connected["simulator"]["name"] == "Toy"
        assert sim.capabilities["max_sessions"] == 1 and sim.capabilities["deterministic"] is True
        first = sim.reset(seed=7)
        assert first["type"] == "frame" and first["done"] is False and first["time_s"] == 0.1
        assert first["state"]["success"] is False and first["state"]["reward"] == 0.5
        np.testing.assert_array_equal(first["observation"]["value"], [7.0])
        second = sim.step(np.array([0.25, 0.5]))
        np.testing.assert_array_equal(second["state"]["value"], [7.75])
        last = sim.step([1000, 0])
        assert last["done"] is True and last["state"]["done"] is True and last["state"]["success"] is True
        assert last["info"] == {"threads": 1}
        assert sim.ask(type="geometry") == {"type": "geometry", "seq": 4}
        after = sim.step([0, 0])
        assert after["type"] == "error" and "reset first" in after["message"]


@pytest.mark.parametrize(
    "action",
    [[0.0], [0.0, 0.0, 0.0], [0.0, float("nan")], [float("inf"), 0.0], "left", {"name": "left"}, None, ["a", "b"], [[0.0, 0.0]]],
)
def test_an_invalid_action_is_an_agent_fault_and_changes_nothing(action: Any) -> None:
    with SimServer(Toy) as server, bridge(server.url) as sim:
        sim.reset(seed=1)
        answer = sim.step(action)
        assert answer["type"] == "error" and answer["fault"] == "agent" and answer["fatal"] is False
        assert "2 finite numbers" in answer["message"] or "finite" in answer["message"]
        np.testing.assert_array_equal(sim.step([0.0, 0.0])["state"]["value"], [1.0])


def test_an_unavailable_episode_is_a_data_fault_and_others_still_run() -> None:
    with SimServer(Toy) as server, bridge(server.url) as sim:
        for env in ({"misdeed": "unknown"}, {"misdeed": "no reset"}, 7):
            answer = sim.reset(env=env)
            assert answer["type"] == "error" and answer["fault"] == "data" and answer["fatal"] is False
        assert sim.reset()["type"] == "frame"


def test_a_simulator_error_is_a_platform_fault_and_the_environment_is_recreated() -> None:
    with SimServer(Toy) as server, bridge(server.url) as sim:
        sim.reset(env={"misdeed": "breaks"})
        answer = sim.step([0, 0])
        assert answer["fault"] == "platform" and "out of order" in answer["message"]
        assert sim.step([0, 0])["fault"] == "platform"
        assert sim.reset()["type"] == "frame"
        assert sim.step([0, 0])["type"] == "frame"


def test_diverged_physics_ends_the_episode_with_an_error_and_without_nan() -> None:
    with SimServer(Toy) as server, bridge(server.url) as sim:
        sim.reset(env={"misdeed": "diverges"})
        frame = sim.step([0, 0])
        assert frame["done"] is True and frame["state"]["success"] is False
        assert frame["state"]["error"] == "the physics diverged: value is not finite"
        assert "value" not in frame["state"]


def test_a_second_evaluator_is_rejected_as_busy_and_a_later_one_is_accepted() -> None:
    with SimServer(Toy) as server:
        with bridge(server.url), bridge(server.url) as second:
            assert second.connected["code"] == "busy" and second.connected["fatal"] is True
            assert second.connected["fault"] == "platform"
            with pytest.raises(ConnectionClosed) as closed:
                second.receive()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013
        with bridge(server.url) as third:
            assert third.reset()["type"] == "frame"


def test_concurrent_environments_have_their_own_threads() -> None:
    with SimServer(Toy, max_sessions=2) as server, bridge(server.url) as one, bridge(server.url) as two:
        one.reset(seed=1)
        two.reset(seed=2)
        assert one.step([0, 0])["state"]["value"] == [1.0]
        assert two.step([0, 0])["state"]["value"] == [2.0]


def recording_factory() -> tuple[list[Toy], Callable[[dict[str, Any]], Toy]]:
    """A factory of environments, and the list of those that it has created."""
    envs: list[Toy] = []

    def make(task: dict[str, Any]) -> Toy:
        envs.append(Toy(task))
        return envs[-1]

    return envs, make


def test_heartbeats_are_answered_while_the_environment_is_busy() -> None:
    envs, make = recording_factory()
    with SimServer(make) as server, bridge(server.url) as sim:
        sim.reset(env={"misdeed": "waits"})
        sim.send({"type": "step", "seq": 9, "action": [0, 0]})
        sim.send({"type": "heartbeat", "t": 5})
        assert sim.receive()["re"] == 5
        envs[-1].hold.set()
        assert sim.receive()["seq"] == 9


def test_the_environment_is_free_again_after_a_disconnect_during_a_step() -> None:
    envs, make = recording_factory()
    with SimServer(make) as server:
        with bridge(server.url) as sim:
            sim.reset(env={"misdeed": "waits"})
            sim.send({"type": "step", "seq": 9, "action": [0, 0]})
        with open_socket(server.url) as socket:
            socket.send(json.dumps({"type": "connect", "seq": 1}))
            with pytest.raises(TimeoutError):
                socket.recv(2)
            envs[-1].hold.set()
            assert json.loads(socket.recv(10))["type"] == "connected"


def test_too_many_unanswered_requests_are_rejected() -> None:
    envs, make = recording_factory()
    with SimServer(make) as server, bridge(server.url) as sim:
        sim.reset(env={"misdeed": "waits"})
        for seq in range(10, 20):
            sim.send({"type": "step", "seq": seq, "action": [0, 0]})
        refused = sim.receive()
        assert refused["code"] == "too_many_requests"
        envs[-1].hold.set()
        answers = [refused, *(sim.receive() for _ in range(9))]
        assert {answer["seq"] for answer in answers} == set(range(10, 20))
        assert sum(answer["type"] == "frame" for answer in answers) >= 4


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "jump", "seq": 3}, "unknown_type"),
        ({"seq": 3}, "bad_message"),
        ({"type": "step", "seq": 3}, "bad_message"),
        ({"type": "reset", "seq": 3, "episode": 5, "seed": 0}, "bad_message"),
        ({"type": "reset", "seq": 3, "episode": {}, "seed": -1}, "bad_message"),
        ({"type": "reset", "seq": 3, "episode": {}, "seed": 1 << 32}, "bad_message"),
        ({"type": "connect", "seq": 3}, "unexpected_message"),
    ],
)
def test_invalid_messages_are_answered_and_the_episode_continues(message: dict[str, Any], code: str) -> None:
    with SimServer(Toy) as server, bridge(server.url) as sim:
        sim.reset(seed=4)
        sim.send(message)
        answer = sim.receive()
        assert answer["type"] == "error" and answer["code"] == code and answer["fatal"] is False
        sim.socket.send(b"\xc1")
        assert sim.receive()["code"] == "bad_message"
        assert sim.step([0, 0])["state"]["value"] == [4.0]


def test_json_requests_are_answered_in_json() -> None:
    with SimServer(Toy) as server, open_socket(server.url) as socket:
        socket.send(json.dumps({"type": "connect"}))
        assert json.loads(socket.recv(10))["type"] == "connected"
        socket.send(json.dumps({"type": "reset", "seq": 1, "seed": 3, "episode": {"episode_id": "e"}}))
        frame = json.loads(socket.recv(10))
        assert frame["observation"] == {"value": [3.0]} and frame["state"]["success"] is False
        socket.send(json.dumps({"type": "close"}))
        assert json.loads(socket.recv(10)) == {"type": "closed"}


def test_other_versions_and_wrong_tokens_are_rejected() -> None:
    with SimServer(Toy, token="secret") as server:
        with bridge(server.url, versions=["7"]) as sim:
            assert sim.connected["code"] == "version_mismatch" and sim.connected["fatal"] is True
        with bridge(server.url) as sim:
            assert sim.connected["code"] == "unauthorized"
        with bridge(server.url, token="secret") as sim:
            assert sim.connected["type"] == "connected"


def test_a_failure_to_create_the_environment_is_reported_and_closes_the_connection() -> None:
    with SimServer(Toy) as server:
        task = {"name": "t", "type": "external", "config": {"env": {"misdeed": "unknown"}}}
        with bridge(server.url, task=task) as sim:
            assert sim.connected["fault"] == "data" and sim.connected["fatal"] is True
            with pytest.raises(ConnectionClosed):
                sim.receive()
        with bridge(server.url) as sim:
            assert sim.connected["type"] == "connected"


def test_a_return_value_that_is_not_an_environment_is_named() -> None:
    with SimServer(lambda: "not an environment") as server, bridge(server.url) as sim:
        assert "make_env returned str" in sim.connected["message"]
