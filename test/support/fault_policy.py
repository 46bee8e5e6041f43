"""A policy that fails as its arguments say; fault-policy.js is the same in JavaScript.

It turns left twice, then stops, and prints each request. The fault `wait` answers when a line arrives on stdin.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from robot_eval_client import Policy, connect, serve

parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--connect")
parser.add_argument("--token")
parser.add_argument("--fail", default="", help="comma-separated <fault>@<episode>:<step>, both numbers from 0")
parser.add_argument("--sensors")
parser.add_argument("--conventions")
options = parser.parse_args()
faults = {place: fault for fault, _, place in (item.partition("@") for item in options.fail.split(","))}


class FaultPolicy(Policy):
    if options.sensors:
        sensors = options.sensors.split(",")
    if options.conventions:
        conventions = json.loads(options.conventions)

    def __init__(self) -> None:
        self.episode = -1
        self.step = 0

    def reset(self, episode: Any) -> None:
        self.episode += 1
        self.step = 0
        print(f"reset {self.episode}", flush=True)
        if faults.get(f"{self.episode}:0") == "raise-reset":
            raise RuntimeError("the weights are gone")

    def act(self, observation: Any) -> Any:
        place = f"{self.episode}:{self.step}"
        print(f"act {place}", flush=True)
        self.step += 1
        fault = faults.get(place)
        if fault == "hang":
            time.sleep(600)
        if fault == "wait":
            sys.stdin.readline()
        if fault == "raise":
            raise ValueError("no such thing")
        if fault == "fly":
            return "fly"
        if fault == "return-nothing":
            return None
        return "turn_left" if self.step < 3 else "stop"


if options.connect:
    connect(FaultPolicy(), options.connect, token=options.token)
else:
    serve(FaultPolicy(), options.port, "127.0.0.1", token=options.token)
