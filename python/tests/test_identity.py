"""What a policy says that it is: in the handshake of both directions, and what is rejected."""

from __future__ import annotations

from typing import Any

import pytest
from evaluator import Evaluator
from test_client import Listener, Peer

from robot_eval_client import Policy, PolicyDefinitionError, PolicyServer, connect


class Still(Policy):
    def act(self, observation: object) -> str:
        return "stop"


NAMES: dict[str, Any] = {
    "name": "openvla",
    "version": "7b",
    "checkpoint": "step-2000",
    "metadata": {"gpu": "a100", "bits": 4, "compiled": True},
}


def test_a_served_policy_declares_its_name_version_checkpoint_and_metadata() -> None:
    with PolicyServer(Still(), **NAMES) as server, Evaluator(server.url) as evaluator:
        assert evaluator.connected["policy"] == NAMES


def test_a_policy_that_connects_declares_its_name_and_checkpoint_too() -> None:
    def script(peer: Peer) -> None:
        assert peer.hello["policy"] == NAMES
        peer.accept()
        peer.send({"type": "disconnect", "session_id": "S"})

    with Listener(script) as listener:
        connect(Still(), listener.url, **NAMES)


def test_a_policy_without_a_name_has_that_of_its_class() -> None:
    with PolicyServer(Still()) as server, Evaluator(server.url) as evaluator:
        assert evaluator.connected["policy"] == {"name": "Still"}


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ({"name": ""}, "name is ''"),
        ({"name": "x" * 101}, "at most 100"),
        ({"version": 3}, "version is 3"),
        ({"checkpoint": "a\nb"}, "one line"),
        ({"metadata": {"shape": [1, 2]}}, r"metadata\['shape'\]"),
    ],
)
def test_names_that_cannot_be_recorded_are_rejected_before_listening(names: dict[str, Any], says: str) -> None:
    with pytest.raises(PolicyDefinitionError, match=says):
        PolicyServer(Still(), **names)
