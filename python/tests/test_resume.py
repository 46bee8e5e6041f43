"""After a lost connection the episode continues, and no action is computed twice."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest
from evaluator import Evaluator
from websockets.sync.client import connect as open_socket

from robot_eval_client import Episode, Observation, Policy, PolicyServer


class Slow(Policy):
    """Acts only when the test allows it, and counts its calls."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.acting = threading.Event()
        self.count = 0
        self.resets = 0

    def reset(self, episode: Episode) -> None:
        self.resets += 1

    def act(self, observation: Observation) -> list[float]:
        self.count += 1
        self.acting.set()
        assert self.go.wait(10)
        return [self.count]


def resume_of(evaluator: Evaluator) -> dict[str, Any]:
    return {"session_id": evaluator.id, "last_seq": evaluator.seq, "resume_token": evaluator.connected["resume_token"]}


def admitted(url: str, encoding: str = "json") -> Evaluator:
    """Retries until the server has noticed that the previous evaluator is gone; until then it is busy."""
    while True:
        evaluator = Evaluator(url, encoding)
        if evaluator.connected["type"] == "connected":
            return evaluator
        assert evaluator.connected["code"] == "busy"
        evaluator.socket.close()


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
@pytest.mark.parametrize("done_while_away", [False, True])
def test_a_connection_lost_during_inference_is_resumed(encoding: str, done_while_away: bool) -> None:
    policy = Slow()
    with PolicyServer(policy) as server:
        first = Evaluator(server.url, encoding)
        first.reset()
        asked = first.ask()
        assert policy.acting.wait(5)
        first.cut()
        if done_while_away:
            policy.go.set()
            time.sleep(0.1)
        with Evaluator(server.url, encoding, resume=resume_of(first)) as second:
            assert second.connected["resumed"] is True and second.id == first.id
            second.seq = first.seq
            second.send(asked)
            if not done_while_away:
                second.heartbeat()
            policy.go.set()
            reply = second.receive()
            assert reply["seq"] == asked["seq"] and reply["action"] == [1]
            # The same request gets the same answer.
            second.send(asked)
            assert second.receive() == reply
            assert second.act()["action"] == [2]
    assert (policy.count, policy.resets) == (2, 1)


def test_a_reset_that_is_sent_twice_is_executed_once() -> None:
    policy = Slow()
    with PolicyServer(policy) as server, Evaluator(server.url) as evaluator:
        ready = evaluator.reset()
        evaluator.send({"type": "reset_episode", "session_id": evaluator.id, "seq": 1, "episode": {"episode_id": "e1"}})
        assert evaluator.receive() == ready
    assert policy.resets == 1


def test_a_request_older_than_the_last_answer_is_rejected() -> None:
    policy = Slow()
    policy.go.set()
    with PolicyServer(policy) as server, Evaluator(server.url) as evaluator:
        evaluator.reset()
        old = evaluator.ask()
        evaluator.receive()
        evaluator.act()
        evaluator.send(old)
        error = evaluator.receive()
        assert error["code"] == "stale_seq" and error["re_seq"] == old["seq"]
    assert policy.count == 2


def test_a_peer_with_the_resume_token_replaces_an_open_connection() -> None:
    policy = Slow()
    policy.go.set()
    with PolicyServer(policy) as server:
        with Evaluator(server.url) as first:
            first.reset()
            with Evaluator(server.url, resume=resume_of(first)) as second:
                assert second.connected["resumed"] is True
                second.seq = first.seq
                assert second.act()["action"] == [1]


def test_a_wrong_resume_token_resumes_nothing() -> None:
    with PolicyServer(Slow()) as server:
        with Evaluator(server.url) as first:
            first.reset()
            wrong = resume_of(first) | {"resume_token": "guessed"}
            with open_socket(server.url) as socket:
                socket.send(json.dumps({"type": "connect", "role": "evaluator", "resume": wrong}))
                assert json.loads(socket.recv(5))["code"] == "busy"


def test_a_restarted_server_does_not_resume_the_session() -> None:
    with PolicyServer(Slow()) as server:
        first = Evaluator(server.url)
        first.reset()
        first.cut()
    with PolicyServer(Slow()) as server, Evaluator(server.url, resume=resume_of(first)) as second:
        assert "resumed" not in second.connected and second.id != first.id
        assert second.act()["code"] == "no_episode"


def test_a_new_evaluator_replaces_a_disconnected_one() -> None:
    with PolicyServer(Slow()) as server:
        first = Evaluator(server.url)
        first.reset()
        first.cut()
        with admitted(server.url) as second:
            assert second.id != first.id
            assert second.reset()["type"] == "episode_ready"
        with Evaluator(server.url, resume=resume_of(first)) as late:
            assert "resumed" not in late.connected


def test_a_disconnected_session_is_dropped_after_the_grace_time() -> None:
    with PolicyServer(Slow(), grace=0.2) as server:
        first = Evaluator(server.url)
        first.reset()
        first.cut()
        time.sleep(1)
        with Evaluator(server.url, resume=resume_of(first)) as second:
            assert "resumed" not in second.connected


def test_no_session_is_kept_for_an_evaluator_that_cannot_resume() -> None:
    with PolicyServer(Slow()) as server:
        first = Evaluator(server.url, "plain")
        first.reset()
        first.cut()
        with admitted(server.url, "plain") as second:
            assert second.reset()["type"] == "episode_ready"


def test_a_late_answer_is_not_used_for_the_next_episode() -> None:
    policy = Slow()
    with PolicyServer(policy) as server, Evaluator(server.url) as evaluator:
        evaluator.reset()
        given_up = evaluator.ask()
        assert policy.acting.wait(5)
        evaluator.request({"type": "reset_episode", "episode": {"episode_id": "e2"}})
        evaluator.heartbeat()
        policy.go.set()
        late = evaluator.receive()
        assert late["type"] == "error" and late["re_seq"] == given_up["seq"]
        assert evaluator.receive()["episode_id"] == "e2"
        assert evaluator.act()["action"] == [2]


def test_a_flood_of_requests_is_rejected() -> None:
    policy = Slow()
    with PolicyServer(policy) as server, Evaluator(server.url) as evaluator:
        evaluator.reset()
        for _ in range(20):
            evaluator.ask()
        codes = [evaluator.receive()["code"] for _ in range(16)]
        assert set(codes) == {"too_many_requests"}
        policy.go.set()
        assert [evaluator.receive()["type"] for _ in range(4)] == ["action"] * 4
    assert policy.count == 4
