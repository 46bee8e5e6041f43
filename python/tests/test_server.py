"""The policy server over a real socket."""

from __future__ import annotations

import json
import logging
import threading
import urllib.request
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from evaluator import Evaluator
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as open_socket

from robot_eval_client import Chunk, Episode, Observation, Policy, PolicyDefinitionError, PolicyServer


class Echo(Policy):
    """Its action contains its observation; it records all calls and their threads."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.threads: set[int] = set()

    def reset(self, episode: Episode) -> None:
        self.threads.add(threading.get_ident())
        self.calls.append(f"reset {episode.episode_id}")

    def act(self, observation: Observation) -> Any:
        self.threads.add(threading.get_ident())
        self.calls.append(f"act {observation.step}")
        return f"saw:{','.join(sorted(observation))}"


class Scripted(Policy):
    """Delegates `act` to a function."""

    action_chunk = 8

    def __init__(self, act: Callable[[Observation], Any]) -> None:
        self._act = act
        self.count = 0

    def act(self, observation: Observation) -> Any:
        self.count += 1
        return self._act(observation)


PICTURE = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
def test_an_episode_runs_in_either_encoding(encoding: str) -> None:
    seen: list[Observation] = []

    def act(observation: Observation) -> list[float]:
        seen.append(observation)
        return [0.5, 1.0]

    with PolicyServer(Scripted(act)) as server, Evaluator(server.url, encoding) as evaluator:
        assert evaluator.connected["capabilities"] == {"encodings": [encoding], "sessions": 1, "action_chunk": 8}
        assert evaluator.connected["protocol_version"] == "1.0"
        assert evaluator.reset() == {
            "type": "episode_ready", "session_id": evaluator.id, "episode_id": "e1", "seq": 1,
        }  # fmt: skip
        reply = evaluator.act({"rgb": PICTURE, "gps": np.array([1.0, 2.0])}, step=0)
    assert reply["type"] == "action" and reply["action"] == [0.5, 1.0] and reply["seq"] == 2
    assert reply["timing"]["infer_ms"] >= 0
    np.testing.assert_array_equal(seen[0]["rgb"], PICTURE)
    assert seen[0]["gps"].dtype == np.float64
    assert (seen[0].step, seen[0].task_type, seen[0].episode.scene_id) == (0, "vln", "s")
    assert seen[0].session_id == seen[0].episode.session_id == evaluator.id


def test_a_minimal_evaluator_needs_no_seq_and_no_capabilities() -> None:
    policy = Echo()
    with PolicyServer(policy) as server, Evaluator(server.url, "plain") as evaluator:
        assert evaluator.reset(episode_id=7) == {"type": "episode_ready", "session_id": evaluator.id, "episode_id": 7}
        for _ in range(3):
            reply = evaluator.act({"gps": np.array([1.0])})
            assert reply["action"] == "saw:gps" and "seq" not in reply
    assert policy.calls == ["reset 7", "act 0", "act 1", "act 2"]


def test_a_message_without_a_session_id_belongs_to_the_first_session() -> None:
    with PolicyServer(Echo()) as server, Evaluator(server.url) as evaluator:
        evaluator.send({"type": "reset_episode", "episode": {"episode_id": "x"}})
        assert evaluator.receive()["episode_id"] == "x"


def test_declarations_are_sent_in_connected() -> None:
    class Declared(Echo):
        sensors = ("rgb", "instruction")
        action_chunk = 4
        conventions = {"action_space": "discrete", "control_hz": 20}

    with PolicyServer(Declared()) as server, Evaluator(server.url) as evaluator:
        capabilities = evaluator.connected["capabilities"]
    assert capabilities["sensors"] == ["rgb", "instruction"]
    assert capabilities["action_chunk"] == 4
    assert capabilities["conventions"] == {"action_space": "discrete", "control_hz": 20}


def test_a_chunk_is_sent_as_actions() -> None:
    with PolicyServer(Scripted(lambda _: np.eye(3))) as server, Evaluator(server.url) as evaluator:
        evaluator.reset()
        reply = evaluator.act()
    assert reply["actions"] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]] and "action" not in reply


def test_a_minimal_evaluator_receives_a_chunk_one_action_at_a_time() -> None:
    policy = Scripted(lambda observation: Chunk([f"a{observation.step}", "b", "c"]))
    with PolicyServer(policy) as server, Evaluator(server.url, "plain") as evaluator:
        evaluator.reset()
        assert [evaluator.act()["action"] for _ in range(4)] == ["a0", "b", "c", "a3"]
        assert policy.count == 2
        # A new episode does not execute the rest of the last chunk.
        evaluator.reset()
        assert evaluator.act()["action"] == "a0"


def test_an_evaluator_receives_chunks_of_its_maximum_length() -> None:
    policy = Scripted(lambda _: Chunk(["a", "b", "c"]))
    with PolicyServer(policy) as server, Evaluator(server.url, capabilities={"action_chunk": 2}) as evaluator:
        evaluator.reset()
        assert evaluator.act()["actions"] == ["a", "b"]
        assert evaluator.act()["action"] == "c"
    assert policy.count == 1


def test_one_object_is_called_in_one_thread_other_than_the_servers() -> None:
    policy = Echo()
    with PolicyServer(policy) as server:
        for _ in range(3):
            with Evaluator(server.url) as evaluator:
                evaluator.reset()
                evaluator.act()
                evaluator.send({"type": "disconnect", "session_id": evaluator.id})
    assert len(policy.threads) == 1 and threading.get_ident() not in policy.threads


@pytest.mark.parametrize(
    ("returned", "says"),
    [(None, "ActionError: Scripted.act returned None"), (float("nan"), "nan"), (np.zeros((1, 1, 1)), r"(1, 1, 1)")],
)
def test_an_invalid_return_value_is_a_policy_error_and_the_connection_stays_open(
    returned: Any, says: str, caplog: pytest.LogCaptureFixture
) -> None:
    with PolicyServer(Scripted(lambda _: returned)) as server, Evaluator(server.url) as evaluator:
        evaluator.reset()
        error = evaluator.act()
        assert (error["type"], error["code"], error["fatal"], error["re_seq"]) == ("error", "policy_error", False, 2)
        assert says in error["message"]
        assert evaluator.reset()["type"] == "episode_ready"


def test_an_exception_of_the_policy_is_logged_and_sent(caplog: pytest.LogCaptureFixture) -> None:
    def act(_: Observation) -> str:
        raise ZeroDivisionError("the arm is too short")

    with PolicyServer(Scripted(act)) as server, Evaluator(server.url) as evaluator:
        evaluator.reset()
        assert evaluator.act(step=4)["message"] == "ZeroDivisionError: the arm is too short"
    assert "act in episode e1, step 4" in caplog.text
    assert "Traceback" in caplog.text and "in act" in caplog.text


def test_a_policy_that_exits_or_fails_to_reset_fails_only_its_episode() -> None:
    class Quits(Policy):
        def reset(self, episode: Episode) -> None:
            if episode.episode_id == "bad":
                raise RuntimeError("no memory")

        def act(self, observation: Observation) -> str:
            raise SystemExit(3)

    with PolicyServer(Quits()) as server, Evaluator(server.url) as evaluator:
        assert evaluator.reset(episode_id="bad")["message"] == "RuntimeError: no memory"
        assert evaluator.act()["code"] == "no_episode"
        evaluator.reset()
        assert evaluator.act()["message"] == "SystemExit: 3"
        assert evaluator.reset()["type"] == "episode_ready"


def test_heartbeats_and_pings_are_answered_during_inference() -> None:
    go = threading.Event()

    def act(_: Observation) -> str:
        assert go.wait(60)
        return "stop"

    with PolicyServer(Scripted(act)) as server, Evaluator(server.url) as evaluator:
        evaluator.reset()
        evaluator.ask()
        for t in range(5):
            evaluator.send({"type": "heartbeat", "session_id": evaluator.id, "t": t})
            beat = evaluator.receive(30)
            assert beat["type"] == "heartbeat" and beat["re"] == t and beat["t"] > 0
            assert evaluator.socket.ping().wait(30)
        go.set()
        # An answer is not answered: the next message is the action.
        evaluator.send({"type": "heartbeat", "session_id": evaluator.id, "t": 9, "re": beat["t"]})
        assert evaluator.receive()["action"] == "stop"


def test_a_heartbeat_before_connect_is_answered_and_must_be_finite() -> None:
    with PolicyServer(Echo()) as server, open_socket(server.url) as socket:
        # A lone surrogate is valid in JSON but has no UTF-8 encoding.
        socket.send('{"type":"heartbeat","session_id":"\\ud800","t":5}')
        assert json.loads(socket.recv(5))["re"] == 5
        socket.send('{"type":"heartbeat"}')
        assert json.loads(socket.recv(5))["re"] == 0
        socket.send('{"type":"heartbeat","t":1e999}')
        assert json.loads(socket.recv(5))["code"] == "bad_message"


def test_one_object_serves_one_evaluator_and_a_second_is_rejected_as_busy() -> None:
    with PolicyServer(Echo()) as server:
        with Evaluator(server.url) as first:
            first.reset()
            with open_socket(server.url) as socket:
                socket.send(json.dumps({"type": "connect", "role": "evaluator"}))
                error = json.loads(socket.recv(5))
                assert error["code"] == "busy" and error["fatal"] is True and "another evaluator" in error["message"]
                with pytest.raises(ConnectionClosed) as closed:
                    socket.recv(5)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013
            assert first.act()["type"] == "action"
        # The first closed normally, so its session is free immediately.
        with Evaluator(server.url) as third:
            assert third.reset()["type"] == "episode_ready"


@pytest.mark.parametrize(
    ("hello", "code", "close_code"),
    [
        ({"token": "wrong"}, "unauthorized", 1008),
        ({}, "unauthorized", 1008),
        ({"token": "right", "protocol_version": "2.0"}, "version_mismatch", 1002),
        ({"token": "right", "role": "agent"}, "wrong_role", 1008),
    ],
)
def test_a_rejected_evaluator_receives_the_reason(hello: dict[str, Any], code: str, close_code: int) -> None:
    with PolicyServer(Echo(), token="right") as server:
        with open_socket(server.url) as socket:
            socket.send(json.dumps({"type": "connect", "role": "evaluator"} | hello))
            error = json.loads(socket.recv(5))
            assert (error["type"], error["code"], error["fatal"]) == ("error", code, True)
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(5)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == close_code
        with Evaluator(server.url, token="right") as evaluator:
            assert evaluator.reset()["type"] == "episode_ready"


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("no json", "bad_message"),
        (b"\xc1", "bad_message"),
        ("[]", "bad_message"),
        ("{}", "bad_message"),
        ('{"type": "dance"}', "unknown_type"),
        ('{"type": "action", "action": "stop"}', "unexpected_message"),
        ('{"type": "connect", "role": "evaluator"}', "unexpected_message"),
        ('{"type": "reset_episode"}', "bad_message"),
        ('{"type": "reset_episode", "episode": {}, "session_id": "other"}', "unknown_session"),
        ('{"type": "get_action", "observation": [], "seq": 5}', "bad_message"),
        ('{"type": "get_action", "observation": {"rgb": "iVBORw0KGgoAAA=="}, "seq": 5}', "bad_message"),
        ('{"type": "get_action", "observation": {}, "seq": -1}', "bad_message"),
        ('{"type": "heartbeat", "t": "now"}', "bad_message"),
    ],
)
def test_a_bad_frame_is_answered_and_the_connection_stays_open(frame: str | bytes, code: str) -> None:
    with PolicyServer(Echo()) as server, Evaluator(server.url) as evaluator:
        evaluator.reset()
        evaluator.socket.send(frame)
        error = evaluator.receive()
        assert (error["type"], error["code"], error["fatal"]) == ("error", code, False)
        if isinstance(frame, str) and '"seq": 5' in frame:
            assert error["re_seq"] == 5
        assert evaluator.act()["type"] == "action"


def test_an_error_is_not_answered() -> None:
    with PolicyServer(Echo()) as server, Evaluator(server.url) as evaluator:
        evaluator.send({"type": "error", "session_id": 5, "code": None, "message": []})
        assert evaluator.reset()["type"] == "episode_ready"


def test_more_than_100_bad_frames_close_the_connection() -> None:
    with PolicyServer(Echo()) as server, Evaluator(server.url) as evaluator:
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(120):
                evaluator.socket.send("{")
                evaluator.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008


def test_a_frame_over_the_limit_closes_with_1009() -> None:
    with PolicyServer(Echo(), max_size=10_000) as server, Evaluator(server.url) as evaluator:
        evaluator.socket.send("x" * 20_000)
        with pytest.raises(ConnectionClosed) as closed:
            evaluator.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


def test_mutated_frames_never_stop_the_server() -> None:
    rng = np.random.default_rng(1)
    good = json.dumps({"type": "get_action", "seq": 3, "session_id": "s", "observation": {"gps": [1, 2]}}).encode()
    with PolicyServer(Echo()) as server:
        for _ in range(6):
            with Evaluator(server.url) as evaluator:
                for _ in range(90):
                    bad = bytearray(good)
                    for at in rng.integers(0, len(bad), 3):
                        bad[at] = rng.integers(0, 256)
                    evaluator.socket.send(bytes(bad) if rng.integers(2) else bad.decode("latin1"))
                evaluator.socket.send('{"type": "heartbeat", "t": 77}')
                while evaluator.receive().get("re") != 77:
                    pass


def test_healthz_answers_over_http() -> None:
    with PolicyServer(Echo()) as server:
        with urllib.request.urlopen(server.url.replace("ws:", "http:") + "/healthz") as answer:
            assert answer.status == 200 and answer.read() == b"OK\n"


def test_the_evaluator_receives_disconnect_when_the_server_stops() -> None:
    with PolicyServer(Echo()) as server:
        evaluator = Evaluator(server.url)
        evaluator.reset()
    assert evaluator.receive()["type"] == "disconnect"
    with pytest.raises(ConnectionClosed) as closed:
        evaluator.receive()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1000


def test_a_fatal_error_of_the_evaluator_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR), PolicyServer(Echo()) as server, Evaluator(server.url) as evaluator:
        evaluator.send({"type": "error", "code": "missing_sensor", "message": "no `lidar` in vln", "fatal": True})
        with pytest.raises(ConnectionClosed):
            evaluator.receive()
    assert "missing_sensor: no `lidar` in vln" in caplog.text


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (object(), "is not a policy"),
        (Policy(), "no method `act`"),
        (type("A", (Echo,), {"sensors": "rgb"})(), "A.sensors is 'rgb'"),
        (type("A", (Echo,), {"action_chunk": 0})(), "A.action_chunk is 0"),
        (type("A", (Echo,), {"conventions": {"action_space": "discreet"}})(), "must be one of discrete"),
        (type("A", (Echo,), {"conventions": {"action_dim": "7"}})(), "must be a number"),
    ],
)
def test_an_invalid_policy_is_rejected_before_it_is_served(policy: object, says: str) -> None:
    with pytest.raises(PolicyDefinitionError, match=says):
        PolicyServer(policy)


def test_a_misspelt_convention_logs_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    PolicyServer(type("A", (Echo,), {"conventions": {"quaternion_ordr": "wxyz"}})())
    assert "did you mean 'quaternion_order'" in caplog.text


def test_conventions_of_a_robot_that_drives_and_of_libero_are_sent_without_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    conventions = {"control_mode": "osc_pose", "base_velocity": True, "forward_step_m": 0.25, "ee_pose_frame": "base"}
    policy = type("A", (Echo,), {"conventions": conventions})()
    with PolicyServer(policy) as server, Evaluator(server.url) as evaluator:
        assert evaluator.connected["capabilities"]["conventions"] == conventions
    assert "unknown name" not in caplog.text


def test_an_object_without_act_batch_cannot_have_many_sessions() -> None:
    with pytest.raises(PolicyDefinitionError, match="pass the class"):
        PolicyServer(Echo(), sessions=4)


def test_an_exception_of_the_constructor_is_raised_immediately() -> None:
    def make() -> Policy:
        raise FileNotFoundError("weights.pt")

    with pytest.raises(FileNotFoundError, match="weights"):
        PolicyServer(make)
