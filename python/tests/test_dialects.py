"""Clients of other projects, by their own frames: openpi, BEHAVIOR and RoboArena."""

from __future__ import annotations

from typing import Any

import msgpack
import numpy as np
import pytest
from evaluator import as_msgpack
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

from robot_eval_client import DialectServer, Episode, Observation, Policy, PolicyDefinitionError, PolicyServer


class Recorder(Policy):
    action_chunk = 4

    def __init__(self, answer: Any = None) -> None:
        self.answer = np.array([[1.0, 2.0], [3.0, 4.0]]) if answer is None else answer
        self.seen: list[dict[str, Any]] = []
        self.resets = 0

    def reset(self, episode: Episode) -> None:
        self.resets += 1

    def act(self, observation: Observation) -> Any:
        self.seen.append(dict(observation))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Client:
    def __init__(self, url: str, **headers: str) -> None:
        self._opened = open_socket(url, compression=None, additional_headers=headers)
        self.socket: ClientConnection = self._opened.__enter__()

    def send(self, request: dict[str, Any]) -> None:
        self.socket.send(msgpack.packb(request))

    def hear(self) -> Any:
        frame = self.socket.recv(10)
        return frame if isinstance(frame, str) else msgpack.unpackb(frame, strict_map_key=False)

    def ask(self, request: dict[str, Any]) -> Any:
        self.send(request)
        return self.hear()

    def close_code(self) -> int:
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                self.socket.recv(10)
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code


def array_of(value: Any) -> np.ndarray[Any, Any]:
    kind = value.get(b"dtype")
    return np.frombuffer(value[b"data"], dtype=kind).reshape(value[b"shape"])


def test_an_openpi_client_gets_metadata_first_and_an_array_for_each_observation() -> None:
    policy = Recorder()
    with DialectServer(policy, dialect="openpi", name="ours", metadata={"dim": 7}) as server:
        client = Client(server.url)
        assert client.hear() == {"name": "ours", "dim": 7}
        image = np.arange(6, dtype=np.uint8).reshape(1, 2, 3)
        reply = client.ask({"observation/image": as_msgpack(image), "prompt": "pick"})
        assert array_of(reply["actions"]).tolist() == [[1, 2], [3, 4]]
        assert set(reply) == {"actions", "policy_timing", "server_timing"}
        assert "prev_total_ms" in client.ask({"prompt": "pick"})["server_timing"]
    assert policy.resets == 1
    np.testing.assert_array_equal(policy.seen[0]["observation/image"], image)
    assert policy.seen[0]["prompt"] == "pick"


def test_one_object_serves_several_clients_at_once_up_to_its_sessions() -> None:
    policy = Recorder()
    with DialectServer(policy, dialect="openpi", sessions=2) as server:
        clients = [Client(server.url), Client(server.url)]
        for client in clients:
            assert client.hear() == {}
        for client in clients:
            client.send({"prompt": "go"})
        for client in clients:
            assert array_of(client.hear()["actions"]).shape == (2, 2)
        assert Client(server.url).close_code() == 1013
    assert policy.resets == 2


def test_a_behavior_client_gets_no_answer_to_a_reset_and_a_vector_for_an_observation() -> None:
    policy = Recorder([5.0, 6.0])
    with DialectServer(policy, dialect="behavior") as server:
        client = Client(server.url)
        assert client.hear() == {}
        client.send({"reset": True})
        assert array_of(client.ask({"proprio": 1})["action"]).tolist() == [5, 6]
    assert policy.resets == 1


def test_a_roboarena_client_gets_the_declared_inputs_and_an_answer_to_a_reset() -> None:
    policy = Recorder()
    with DialectServer(policy, dialect="roboarena", name="not sent", metadata={"needs_session_id": True}) as server:
        client = Client(server.url)
        metadata = client.hear()
        assert metadata["needs_session_id"] is True
        assert "name" not in metadata
        assert client.ask({"endpoint": "reset"}) == "reset successful"
        assert array_of(client.ask({"endpoint": "infer", "prompt": "fold"})["actions"]).shape == (2, 2)
    assert policy.seen == [{"prompt": "fold"}]


@pytest.mark.parametrize(
    ("answer", "says"), [(RuntimeError("out of memory"), "out of memory"), ("stop", "only supports vectors")]
)
def test_an_error_is_sent_as_text_before_the_connection_ends_with_1011(answer: Any, says: str) -> None:
    with DialectServer(Recorder(answer), dialect="openpi") as server:
        client = Client(server.url)
        client.hear()
        assert says in client.ask({"prompt": "go"})
        assert client.close_code() == 1011


def test_a_key_is_required_if_one_is_set() -> None:
    with DialectServer(Recorder(), dialect="openpi", token="k") as server:
        assert Client(server.url).close_code() == 1008
        assert Client(server.url, Authorization="Api-Key k").hear() == {}


def test_an_unknown_dialect_is_rejected() -> None:
    with pytest.raises(PolicyDefinitionError, match="valid are openpi, behavior, roboarena"):
        DialectServer(Recorder(), dialect="gr00t")
    with pytest.raises(PolicyDefinitionError, match="use DialectServer"):
        PolicyServer(Recorder(), dialect="openpi")
