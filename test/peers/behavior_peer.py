"""BEHAVIOR's own server and client around the tiny policy.

    BEHAVIOR_REPO=<checkout> python behavior_peer.py serve PORT [SIZE]
    BEHAVIOR_REPO=<checkout> python behavior_peer.py ask PORT

Its network code imports torch for its tensors and OmniGibson for one flag. Both are replaced by stubs here, because
the protocol does not depend on them.
"""

import importlib.util
import json
import os
import pathlib
import sys
import types

import tiny_policy


class Tensor:
    def __init__(self, array):
        self.array = array

    def cpu(self):
        return self

    def numpy(self):
        return self.array

    def to(self, _):
        return self


def stand_in(name, **members):
    module = types.ModuleType(name)
    for key, value in members.items():
        setattr(module, key, value)
    sys.modules[name] = module


stand_in("torch", Tensor=Tensor, from_numpy=Tensor, float32="float32")
stand_in("omnigibson")
stand_in("omnigibson.macros", gm=types.SimpleNamespace(DEBUG=False))
path = pathlib.Path(os.environ["BEHAVIOR_REPO"]) / "OmniGibson/omnigibson/eval/utils/network_utils.py"
spec = importlib.util.spec_from_file_location("network_utils", path)
network_utils = importlib.util.module_from_spec(spec)
spec.loader.exec_module(network_utils)


class HashPolicy:
    def __init__(self, size):
        self.size = size
        self.resets = 0

    def reset(self):
        self.resets += 1

    def act(self, obs):
        if obs.get("prompt") == "fail":
            raise ValueError("told to fail")
        # Hashes whether a reset arrived, so that a missing one changes the actions.
        seen = {**obs, "resets": min(self.resets, 1)}
        return Tensor(tiny_policy.actions(seen, 1, self.size)[0])


def serve(port, size):
    network_utils.WebsocketPolicyServer(HashPolicy(size), "127.0.0.1", port, {"name": "hash"}).serve_forever()


def ask(port):
    client = network_utils.WebsocketClientPolicy("127.0.0.1", port)
    client.reset()
    print(json.dumps(client.act(tiny_policy.known_observation()).numpy().tolist()))


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]), int(sys.argv[3]))
    else:
        ask(int(sys.argv[2]))
