"""A policy that connects to an evaluator, whose messages are scripted here."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgpack
import numpy as np
import pytest
from evaluator import as_json, as_msgpack
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection
from websockets.sync.server import serve as listen

from robot_eval_client import Episode, EvaluatorError, Observation, Policy, PolicyDefinitionError, connect

Script = Callable[["Peer"], None]


class Peer:
    """One connection of a policy, from the evaluator's side."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.hello = self.receive()

    def send(self, message: dict[str, Any], encoding: str = "json") -> None:
        self.socket.send(msgpack.packb(message) if encoding == "msgpack" else json.dumps(message))

    def receive(self) -> dict[str, Any]:
        frame = self.socket.recv(10)
        message = json.loads(frame) if isinstance(frame, str) else msgpack.unpackb(frame)
        assert isinstance(message, dict)
        return message

    def accept(self, session_id: str = "S", **more: Any) -> None:
        self.send({"type": "connected", "session_id": session_id} | more)

    def reset(self, seq: int, session_id: str = "S") -> dict[str, Any]:
        self.send({"type": "reset_episode", "session_id": session_id, "seq": seq, "episode": {"episode_id": "e"}})
        return self.receive()

    def cut(self) -> None:
        self.socket.socket.close()


class Listener:
    """Runs one scripted evaluator per connection, and keeps the exceptions."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = iter(scripts)
        self.failures: list[BaseException] = []
        self._server: Server = listen(self._serve, "127.0.0.1", 0, compression=None, max_size=None)
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}"

    def _serve(self, socket: ServerConnection) -> None:
        try:
            next(self._scripts)(Peer(socket))
        except BaseException as error:
            self.failures.append(error)

    def __enter__(self) -> Listener:
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        assert self.failures == []


class Counter(Policy):
    sensors = ["gps"]

    def __init__(self) -> None:
        self.seen: list[Observation] = []
        self.resets = 0

    def reset(self, episode: Episode) -> None:
        self.resets += 1

    def act(self, observation: Observation) -> list[float]:
        self.seen.append(observation)
        return [len(self.seen)]


GPS = np.array([1.0, 2.0])


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
def test_an_episode_runs_until_the_evaluator_disconnects(encoding: str) -> None:
    def script(peer: Peer) -> None:
        assert peer.hello["type"] == "connect" and peer.hello["role"] == "agent"
        assert peer.hello["protocol_version"] == "1.0" and peer.hello["token"] == "secret"
        assert peer.hello["capabilities"] == {
            "encodings": ["msgpack", "json"], "sessions": 1, "sensors": ["gps"], "action_chunk": 1,
        }  # fmt: skip
        peer.accept(capabilities={"encodings": [encoding], "sessions": 1}, resume_token="t")
        assert peer.reset(1) == {"type": "episode_ready", "session_id": "S", "episode_id": "e", "seq": 1}
        write = as_json if encoding == "json" else as_msgpack
        peer.send({"type": "get_action", "session_id": "S", "seq": 2, "observation": {"gps": write(GPS)}}, encoding)
        frame = peer.socket.recv(10)
        assert isinstance(frame, str) == (encoding == "json")
        assert (json.loads(frame) if isinstance(frame, str) else msgpack.unpackb(frame))["action"] == [1]
        peer.send({"type": "episode_end", "session_id": "S", "episode_id": "e", "reason": "stop", "steps": 1})
        peer.send({"type": "disconnect", "session_id": "S"})

    policy = Counter()
    with Listener(script) as listener:
        connect(policy, listener.url, token="secret")
    np.testing.assert_array_equal(policy.seen[0]["gps"], GPS)


def test_a_normal_close_of_a_minimal_evaluator_ends_the_client() -> None:
    def script(peer: Peer) -> None:
        peer.accept()
        peer.send({"type": "reset_episode", "session_id": "S", "episode": {"episode_id": "e"}})
        assert peer.receive()["type"] == "episode_ready"
        peer.send({"type": "get_action", "session_id": "S", "observation": {}})
        assert peer.receive()["action"] == [1]
        peer.socket.close()

    with Listener(script) as listener:
        connect(Counter(), listener.url)


def test_the_client_reconnects_and_resumes_after_a_lost_connection() -> None:
    request = {"type": "get_action", "session_id": "S", "seq": 2, "observation": {}}

    def first(peer: Peer) -> None:
        peer.accept(capabilities={}, resume_token="t")
        peer.reset(1)
        peer.send(request)
        peer.receive()
        peer.cut()

    def second(peer: Peer) -> None:
        assert peer.hello["resume"] == {"session_id": "S", "last_seq": 2, "resume_token": "t"}
        peer.accept(capabilities={}, resume_token="t", resumed=True)
        peer.send(request)
        assert peer.receive()["action"] == [1]
        peer.send(request | {"seq": 3})
        assert peer.receive()["action"] == [2]
        peer.send({"type": "disconnect", "session_id": "S"})

    policy = Counter()
    with Listener(first, second) as listener:
        connect(policy, listener.url)
    assert (len(policy.seen), policy.resets) == (2, 1)


def test_the_client_starts_a_new_session_if_the_evaluator_lost_the_old_one(caplog: pytest.LogCaptureFixture) -> None:
    def first(peer: Peer) -> None:
        peer.accept(resume_token="t")
        peer.reset(1)
        peer.cut()

    def second(peer: Peer) -> None:
        peer.accept("S2", resume_token="t2")
        peer.send({"type": "get_action", "session_id": "S2", "seq": 1, "observation": {}})
        assert peer.receive()["code"] == "no_episode"
        assert peer.reset(2, "S2")["type"] == "episode_ready"
        peer.send({"type": "disconnect", "session_id": "S2"})

    policy = Counter()
    with Listener(first, second) as listener:
        connect(policy, listener.url)
    assert policy.resets == 2 and "has dropped" in caplog.text


def test_the_client_waits_for_an_evaluator_that_is_not_listening_yet() -> None:
    with Listener() as listener:
        url = listener.url

    def start() -> None:
        server = listen(
            lambda socket: Peer(socket).send({"type": "error", "code": "x", "message": "y", "fatal": True}),
            "127.0.0.1",
            int(url.rsplit(":", 1)[1]),
        )
        servers.append(server)
        server.serve_forever()

    servers: list[Server] = []
    timer = threading.Timer(0.3, start)
    timer.start()
    with pytest.raises(EvaluatorError, match="x: y"):
        connect(Counter(), url)
    servers[0].shutdown()
    timer.join()


def test_a_missing_evaluator_raises_a_connection_error() -> None:
    with Listener() as listener:
        url = listener.url
    with pytest.raises(ConnectionError, match=f"no evaluator at {url}"):
        connect(Counter(), url, grace=0.3)
    with pytest.raises(PolicyDefinitionError, match="not a WebSocket URL"):
        connect(Counter(), "localhost:8000")


@pytest.mark.parametrize("when", ["connect", "later"])
def test_a_rejection_raises_an_evaluator_error(when: str) -> None:
    refusal = {"type": "error", "code": "convention_mismatch", "message": "gripper_open", "fatal": True}

    def script(peer: Peer) -> None:
        if when == "later":
            peer.accept()
        peer.send(refusal)
        peer.socket.close(1008)

    with Listener(script) as listener, pytest.raises(EvaluatorError, match="gripper_open") as raised:
        connect(Counter(), listener.url)
    assert raised.value.code == "convention_mismatch"


def test_the_client_reconnects_after_a_timeout_for_the_next_episode() -> None:
    def first(peer: Peer) -> None:
        peer.accept(resume_token="t")
        peer.reset(0)
        peer.send({"type": "error", "code": "policy_timeout", "message": "no answer within 60 s", "fatal": True})
        with suppress(ConnectionClosed):  # the policy hangs up on a fatal error: it may be quicker
            peer.send({"type": "disconnect", "session_id": "S"})
            peer.socket.close()

    def second(peer: Peer) -> None:
        assert "resume" not in peer.hello
        peer.accept("S2")
        assert peer.reset(0, "S2")["type"] == "episode_ready"
        peer.send({"type": "disconnect", "session_id": "S2"})

    policy = Counter()
    with Listener(first, second) as listener:
        connect(policy, listener.url)
    assert policy.resets == 2


def test_another_major_version_is_rejected() -> None:
    with Listener(lambda peer: peer.accept(protocol_version="2.1")) as listener:
        with pytest.raises(EvaluatorError, match="2.1"):
            connect(Counter(), listener.url)


def test_a_batch_policy_offers_several_sessions() -> None:
    class Batched(Policy):
        def act_batch(self, observations: list[Observation]) -> list[Any]:
            return [observation.session_id for observation in observations]

    def script(peer: Peer) -> None:
        assert peer.hello["capabilities"]["sessions"] == 4
        peer.accept(capabilities={"sessions": 2, "encodings": ["json"]})
        for seq, name in enumerate(["S", "S/1"]):
            assert peer.reset(seq, name)["type"] == "episode_ready"
        assert peer.reset(2, "S/2")["code"] == "too_many_sessions"
        for seq, name in enumerate(["S/1", "S"], 3):
            peer.send({"type": "get_action", "session_id": name, "seq": seq, "observation": {}})
        assert {peer.receive()["action"] for _ in range(2)} == {"S", "S/1"}
        peer.send({"type": "disconnect", "session_id": "S"})

    with Listener(script) as listener:
        connect(Batched(), listener.url, sessions=4)


def test_connect_ends_with_a_summary_of_the_episodes(capsys: pytest.CaptureFixture[str]) -> None:
    def script(peer: Peer) -> None:
        peer.accept(server={"name": "robot-eval challenge", "submission": "42"})
        for seq, reason in enumerate(["stop", "max_steps"]):
            peer.reset(seq)
            end = {"type": "episode_end", "session_id": "S", "episode_id": "e", "reason": reason, "steps": 3}
            peer.send(end | {"metrics": {"success": seq}})
        peer.send({"type": "disconnect", "session_id": "S"})

    with Listener(script) as listener:
        summary = connect(Counter(), listener.url)
    assert summary is not None
    assert (summary.episodes, summary.reasons, summary.metrics) == (2, {"stop": 1, "max_steps": 1}, {"success": 0.5})
    line = capsys.readouterr().out
    assert line.startswith("the evaluator is done: 2 episodes (1 stop, 1 max_steps); success 0.500; ")
    assert f"submission 42 are at {listener.url.replace('ws', 'http')}/team" in line


@pytest.mark.parametrize(
    ("sent", "metrics", "shown"),
    [
        ({}, {}, "the evaluator does not send the score"),
        ({"metrics": {"success": 0.25, "spl": 0.2}}, {"success": 0.25, "spl": 0.2}, "success 0.250, spl 0.200"),
        ({"metrics": {"success": None, "spl": True, "steps": 3}}, {"steps": 3.0}, "steps 3.000"),
        ({"metrics": "high"}, {}, "the evaluator does not send the score"),
    ],
)
def test_the_summary_of_connect_has_the_means_that_the_evaluator_sends_at_the_end(
    sent: dict[str, object], metrics: dict[str, float], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def script(peer: Peer) -> None:
        peer.accept()
        peer.reset(0)
        peer.send({"type": "episode_end", "session_id": "S", "episode_id": "e", "reason": "stop", "steps": 3})
        peer.send({"type": "disconnect", "session_id": "S"} | sent)

    with Listener(script) as listener:
        summary = connect(Counter(), listener.url)
    assert summary is not None
    assert summary.metrics == metrics
    assert f"; {shown}; the results are in the evaluator's run directory" in capsys.readouterr().out
