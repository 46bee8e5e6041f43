"""`serve` as a process: its output, and its shutdown."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from evaluator import Evaluator

PROGRAM = """
import sys, time
sys.path[:0] = {path!r}
from robot_eval_client import Policy, serve

class MyPolicy(Policy):
    def act(self, observation):
        print("acts", flush=True)
        time.sleep({thinks})
        return "stop"

    def close(self):
        print("closed", flush=True)

serve(MyPolicy(), port=0, host="127.0.0.1")
print("after", flush=True)
"""

SRC = str(Path(__file__).parent.parent / "src")


def start(thinks: float) -> tuple[subprocess.Popen[str], str]:
    program = PROGRAM.format(path=[SRC], thinks=thinks)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    printed = re.fullmatch(
        r"MyPolicy listens on 127\.0\.0\.1:(\d+); evaluate it with: robot-eval run <benchmark> --agent (ws://\S+)\n",
        line,
    )
    assert printed is not None and printed[2].endswith(f":{printed[1]}")
    return process, printed[2]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals of this kind")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_shuts_the_process_down_gracefully(number: signal.Signals) -> None:
    process, url = start(0)
    with Evaluator(url) as evaluator:
        evaluator.reset()
        process.send_signal(number)
        assert evaluator.receive()["type"] == "disconnect"
    out, _ = process.communicate(timeout=10)
    assert out == "closed\nafter\n" and process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals of this kind")
def test_a_policy_that_never_returns_does_not_block_the_exit() -> None:
    process, url = start(1000)
    with Evaluator(url) as evaluator:
        evaluator.reset()
        evaluator.ask()
        # A signal before the policy acts would end it gracefully.
        assert process.stdout is not None and process.stdout.readline() == "acts\n"
        process.send_signal(signal.SIGTERM)
        assert evaluator.receive()["type"] == "disconnect"
    out, _ = process.communicate(timeout=20)
    assert out == "after\n" and process.returncode == 0
