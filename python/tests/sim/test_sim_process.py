"""The simulator as a process: its output, and when it exits."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from sim.bridge import bridge, simulator_process

OWN = ("-m", "robot_eval_client.sim", "sim.toy_env:make_env")
TESTS = str(Path(__file__).parent.parent)


@pytest.fixture(autouse=True)
def _in_tests_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TESTS)


def test_a_custom_module_is_served_by_name() -> None:
    with simulator_process(*OWN, "--arguments", '{"start": 5}') as (_, url), bridge(url) as sim:
        assert sim.reset()["state"]["value"] == 5
        assert sim.reset(env={"start": 6})["state"]["value"] == 6


def test_a_supervised_process_exits_when_stdin_closes_even_while_it_hangs() -> None:
    with simulator_process(*OWN, supervised=True) as (process, url), bridge(url) as sim:
        sim.reset(env={"hangs": True})
        sim.send({"type": "step", "seq": 9, "action": "go"})
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0
        process.stdin = None


def test_an_unsupervised_process_ignores_its_stdin() -> None:
    with simulator_process(*OWN) as (process, url):
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
        with bridge(url) as sim:
            assert sim.reset()["type"] == "frame"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals of this kind")
def test_a_signal_shuts_the_process_down_gracefully() -> None:
    with simulator_process(*OWN, supervised=True) as (process, url), bridge(url) as sim:
        sim.reset()
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_an_unknown_adapter_is_named() -> None:
    with pytest.raises(SystemExit), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["sim", "gazebo"])
        from robot_eval_client.sim.__main__ import main

        main()
