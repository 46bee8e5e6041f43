"""A Python simulator that misbehaves like hostile-simulator.mjs.

`env.mode` of an episode's task_config selects the misbehaviour at the episode's second step, `reset:<mode>` at its
reset; without a mode the episode succeeds at the third step. Appends the id of each of its processes to the file `pids`.
"""

import json
import os
import signal
import sys
import time

import msgpack
from websockets.sync.server import serve

FORKS = 50


def note(pid):
    with open("pids", "a") as file:
        file.write(f"{pid}\n")


def fork_sleepers():
    """Forks sleeping processes, half of which leave the process group."""
    for i in range(FORKS):
        pid = os.fork()
        if pid == 0:
            if i % 2:
                os.setsid()
            while True:
                time.sleep(1000)
        note(pid)


def misbehave(mode, socket, answer):
    if mode == "exit":
        os._exit(1)
    if mode == "huge_frame":
        socket.send(bytes(65 * 2**20))
    if mode == "endless_stdout":
        while True:
            sys.stdout.write("x" * 65536)
    if mode == "fork":
        fork_sleepers()
        socket.send(msgpack.packb(answer))


def handle(socket):
    step, mode = 0, ""
    for data in socket:
        message = msgpack.unpackb(data)
        kind = message["type"]
        if kind == "connect":
            space = {"type": "continuous", "low": [-1, -1], "high": [1, 1]}
            capabilities = {"sensors": {}, "action_space": space, "deterministic": True}
            hello = {"type": "connected", "protocol_version": "1", "capabilities": capabilities}
            socket.send(msgpack.packb({**hello, "simulator": {"name": "hostile"}}))
        if kind == "reset":
            step, mode = 0, message["episode"]["task_config"]["env"].get("mode") or ""
        if kind == "step":
            step += 1
        if kind not in ("reset", "step"):
            continue
        state = {"success": step >= 3, "reward": 0, "subtasks": {"near": True}}
        answer = {"type": "frame", "seq": message["seq"], "observation": {"position": [0, 0]}, "state": state}
        answer.update({"time_s": step / 10, "done": False})
        at, what = (0, mode[6:]) if mode.startswith("reset:") else (2, mode)
        if what and step == at:
            misbehave(what, socket, answer)
        else:
            socket.send(msgpack.packb(answer))


signal.signal(signal.SIGTERM, signal.SIG_IGN)
note(os.getpid())
with serve(handle, "127.0.0.1", 0, compression=None) as server:
    port = server.socket.getsockname()[1]
    print(json.dumps({"robot_eval_sim": {"port": port, "pid": os.getpid()}}), flush=True)
    server.serve_forever()
