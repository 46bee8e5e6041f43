"""The evaluator's side of the bridge, for tests."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

from robot_eval_client.codec_msgpack import decode_msgpack, encode_msgpack

Json = dict[str, Any]
SRC = str(Path(__file__).parent.parent.parent / "src")


class Bridge:
    def __init__(self, socket: ClientConnection, connect: Json) -> None:
        self.socket = socket
        self.seq = 0
        self.send({"type": "connect", "protocol": "robot-eval-sim/1", "versions": ["1"], **connect})
        self.connected = self.receive()

    @property
    def capabilities(self) -> Json:
        capabilities: Json = self.connected["capabilities"]
        return capabilities

    def send(self, message: Json) -> None:
        self.socket.send(encode_msgpack(message))

    def receive(self, timeout: float = 120) -> Json:
        frame = self.socket.recv(timeout)
        message = json.loads(frame) if isinstance(frame, str) else decode_msgpack(frame)
        assert isinstance(message, dict)
        return message

    def ask(self, **message: Any) -> Json:
        self.seq += 1
        self.send({**message, "seq": self.seq})
        answer = self.receive()
        assert answer.get("seq") == self.seq, answer
        return answer

    def reset(self, seed: int = 0, env: Any = None, **episode: Any) -> Json:
        fields = {"episode_id": "e1", "scene_id": "s", "task_type": "external", "task_config": {}} | episode
        if env is not None:
            fields["task_config"] = {"env": env}
        return self.ask(type="reset", episode=fields, seed=seed, task={"name": "t", "type": "external", "config": {}})

    def step(self, action: Any) -> Json:
        return self.ask(type="step", action=action)


@contextlib.contextmanager
def bridge(url: str, **connect: Any) -> Iterator[Bridge]:
    with open_socket(url, max_size=None, compression=None) as socket:
        yield Bridge(socket, connect)


@contextlib.contextmanager
def simulator_process(*arguments: str, supervised: bool = False) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Starts the program; yields the process and its URL."""
    environment = {**os.environ, "PYTHONPATH": SRC, "ROBOT_EVAL_SIM_SUPERVISED": "1" if supervised else "0"}
    process = subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stdout is not None
        listening = json.loads(process.stdout.readline())["robot_eval_sim"]
        assert listening["pid"] == process.pid
        yield process, f"ws://127.0.0.1:{listening['port']}"
    finally:
        process.kill()
        process.communicate()
