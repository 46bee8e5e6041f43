"""The simulator as a program: what it prints, and that it ends when it should and not before."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from sim.bridge import bridge, simulator_process

OWN = ("-m", "robot_eval_client.sim", "sim.toy_world:make_env")
TESTS = str(Path(__file__).parent.parent)


@pytest.fixture(autouse=True)
def _in_tests_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TESTS)


def test_a_module_of_ones_own_is_served_by_name() -> None:
    with simulator_process(*OWN, "--arguments", '{"start": 5}') as (_, url), bridge(url) as sim:
        assert sim.reset()["state"]["value"] == 5
        assert sim.reset(env={"start": 6})["state"]["value"] == 6


def test_a_supervised_process_ends_with_its_standard_input_even_while_it_hangs() -> None:
    with simulator_process(*OWN, supervised=True) as (process, url), bridge(url) as sim:
        sim.reset(env={"hangs": True})
        sim.send({"type": "step", "seq": 9, "action": "go"})
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0
        process.stdin = None


def test_a_process_started_by_hand_does_not_mind_its_standard_input() -> None:
    with simulator_process(*OWN) as (process, url):
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
        with bridge(url) as sim:
            assert sim.reset()["type"] == "frame"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals of this kind")
def test_a_signal_ends_it_in_order() -> None:
    with simulator_process(*OWN, supervised=True) as (process, url), bridge(url) as sim:
        sim.reset()
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_an_adapter_that_is_none_is_named() -> None:
    with pytest.raises(SystemExit), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["sim", "gazebo"])
        from robot_eval_client.sim.__main__ import main

        main()
