"""Concurrent sessions: batched, or with one object per session."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest
from evaluator import Evaluator

from robot_eval_client import Episode, Observation, Policy, PolicyServer


class Batched(Policy):
    """Answers each observation with its own number; a batch takes the same time at any size."""

    def __init__(self, cost: float = 0.02) -> None:
        self.cost = cost
        self.sizes: list[int] = []
        self.episodes: dict[str, str] = {}

    def reset(self, episode: Episode) -> None:
        self.episodes[episode.session_id] = episode.episode_id

    def act_batch(self, observations: list[Observation]) -> list[Any]:
        assert len({observation.session_id for observation in observations}) == len(observations)
        for observation in observations:
            assert self.episodes[observation.session_id] == observation.episode.episode_id
        self.sizes.append(len(observations))
        time.sleep(self.cost)
        return [[observation["n"], observation.step] for observation in observations]


def sessions_of(evaluator: Evaluator, count: int) -> list[str]:
    return [evaluator.id] + [f"{evaluator.id}/{i}" for i in range(1, count)]


def play(evaluator: Evaluator, names: list[str], steps: int, offset: int = 0) -> None:
    """Each session sends its next request as soon as it has its action, as an evaluator does."""
    for i, name in enumerate(names):
        evaluator.reset(name, episode_id=f"e{offset + i}")
    waiting: dict[int, tuple[str, int, int]] = {}

    def ask(name: str, i: int, step: int) -> None:
        waiting[evaluator.ask({"n": offset + i}, name, step=step)["seq"]] = (name, i, step)

    for i, name in enumerate(names):
        ask(name, i, 0)
    while waiting:
        reply = evaluator.receive()
        name, i, step = waiting.pop(reply["seq"])
        assert reply["session_id"] == name and reply["action"] == [offset + i, step]
        if step + 1 < steps:
            ask(name, i, step + 1)
    for i, name in enumerate(names):
        evaluator.send({"type": "episode_end", "session_id": name, "episode_id": f"e{offset + i}"})


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
def test_sixteen_sessions_over_one_connection_are_batched(encoding: str) -> None:
    policy = Batched()
    with PolicyServer(policy) as server, Evaluator(server.url, encoding) as evaluator:
        assert evaluator.connected["capabilities"]["sessions"] == 16
        play(evaluator, sessions_of(evaluator, 16), steps=12)
    assert sum(policy.sizes) == 16 * 12
    assert max(policy.sizes) == 16
    # Far fewer than 192 calls, and no batch of one before each full batch.
    assert len(policy.sizes) <= 40


def test_a_batch_holds_no_more_than_max_batch() -> None:
    policy = Batched(0.005)
    with PolicyServer(policy, max_batch=3) as server, Evaluator(server.url) as evaluator:
        play(evaluator, sessions_of(evaluator, 8), steps=4)
    assert max(policy.sizes) == 3 and sum(policy.sizes) == 32


def test_two_connections_share_a_batch() -> None:
    policy = Batched()
    with PolicyServer(policy, sessions=8) as server:
        with Evaluator(server.url, capabilities={"sessions": 4}) as a, Evaluator(server.url, capabilities={"sessions": 9}) as b:
            assert b.connected["capabilities"]["sessions"] == 4
            threads = [
                threading.Thread(target=play, args=(evaluator, sessions_of(evaluator, 4), 6, offset))
                for evaluator, offset in ((a, 0), (b, 100))
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert sum(policy.sizes) == 48 and max(policy.sizes) > 4


def test_a_failed_batch_fails_each_of_its_episodes() -> None:
    all_asked = threading.Event()

    class Broken(Batched):
        def act_batch(self, observations: list[Observation]) -> list[Any]:
            assert all_asked.wait(60)
            return ["stop"]

    with PolicyServer(Broken()) as server, Evaluator(server.url) as evaluator:
        names = sessions_of(evaluator, 3)
        for name in names:
            evaluator.reset(name)
        asked = {evaluator.ask(None, name)["seq"] for name in names}
        # Messages are answered in order, so the server has read all requests by then.
        evaluator.heartbeat()
        all_asked.set()
        replies = [evaluator.receive() for _ in names]
    errors = [reply for reply in replies if reply["type"] == "error"]
    # The first request may have been processed alone, and then it succeeds.
    assert len(errors) >= 2 and {error["re_seq"] for error in errors} <= asked
    assert "1 actions for" in errors[0]["message"]


def test_a_class_creates_one_object_per_session() -> None:
    made: list[Counting] = []

    class Counting(Policy):
        def __init__(self) -> None:
            made.append(self)
            self.thread: set[int] = {threading.get_ident()}

        def reset(self, episode: Episode) -> None:
            self.thread.add(threading.get_ident())
            self.count = 0

        def act(self, observation: Observation) -> list[float]:
            self.thread.add(threading.get_ident())
            self.count += 1
            return [self.count]

    with PolicyServer(Counting, sessions=3) as server:
        assert len(made) == 1
        for _ in range(2):
            with Evaluator(server.url) as evaluator:
                assert evaluator.connected["capabilities"]["sessions"] == 3
                names = sessions_of(evaluator, 3)
                for name in names:
                    evaluator.reset(name)
                for step in range(1, 4):
                    for name in names:
                        assert evaluator.act(None, name)["action"] == [step]
                assert evaluator.reset(f"{evaluator.id}/9")["code"] == "too_many_sessions"
                evaluator.send({"type": "disconnect", "session_id": evaluator.id})
                evaluator.socket.close()
    # The second evaluator's sessions reused the objects of the first; each object was used in a single thread.
    assert len(made) == 3
    assert all(len(policy.thread) == 1 for policy in made)


def test_objects_of_a_class_run_concurrently() -> None:
    together = threading.Barrier(2, timeout=5)

    class Meeting(Policy):
        def act(self, observation: Observation) -> str:
            together.wait()
            return "met"

    with PolicyServer(lambda: Meeting(), sessions=2) as server, Evaluator(server.url) as evaluator:
        names = sessions_of(evaluator, 2)
        for name in names:
            evaluator.reset(name)
        for name in names:
            evaluator.ask(None, name)
        assert [evaluator.receive()["action"] for _ in names] == ["met", "met"]


def test_a_factory_that_fails_later_fails_only_its_session() -> None:
    tries = iter(range(10))

    class Fine(Policy):
        def act(self, observation: Observation) -> np.ndarray[Any, Any]:
            return np.zeros(2)

    def make() -> Policy:
        if next(tries) == 1:
            raise MemoryError("out of GPU memory")
        return Fine()

    with PolicyServer(make, sessions=2) as server, Evaluator(server.url) as evaluator:
        assert evaluator.reset()["type"] == "episode_ready"
        assert evaluator.reset(f"{evaluator.id}/1")["message"] == "MemoryError: out of GPU memory"
        assert evaluator.act()["action"] == [0, 0]
