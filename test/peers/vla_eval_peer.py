"""vla-eval's own model server and connection around the tiny policy. Requires the package vla-eval.

    python vla_eval_peer.py serve PORT [SIZE]
    python vla_eval_peer.py ask PORT
"""

import asyncio
import sys

import tiny_policy
from vla_eval.connection import Connection
from vla_eval.model_servers.predict import PredictModelServer
from vla_eval.model_servers.serve import serve as serve_model
from vla_eval.specs import IMAGE_RGB, LANGUAGE, STATE_EEF_POS_AA_GRIP, DimSpec

HORIZON = 4


class HashServer(PredictModelServer):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.starts = 0

    def get_action_spec(self):
        return {"actions": DimSpec("actions", self.size, "raw")}

    def get_observation_spec(self):
        return {"agentview": IMAGE_RGB, "wrist": IMAGE_RGB, "language": LANGUAGE, "state": STATE_EEF_POS_AA_GRIP}

    async def on_episode_start(self, config, ctx):
        self.starts += 1
        if config["task"]["name"] == "fail to start":
            raise ValueError("told to fail")
        await super().on_episode_start(config, ctx)

    def predict(self, obs, ctx):
        if obs.get("task_description") == "fail":
            raise ValueError("told to fail")
        # Hashes whether a start arrived, so that a missing one changes the actions.
        seen = {**obs, "starts": min(self.starts, 1)}
        return {"actions": tiny_policy.actions(seen, HORIZON, self.size)}


async def ask(port):
    known = tiny_policy.known_observation()
    async with Connection(f"ws://127.0.0.1:{port}") as connection:
        await connection.start_episode({"task": {"name": known["prompt"]}})
        await connection.act(
            {
                "images": {"agentview": known["observation/image"]},
                "task_description": known["prompt"],
                "states": known["observation/state"],
            }
        )
        await connection.end_episode({"metrics": {}, "steps": 1})


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve_model(HashServer(int(sys.argv[3])), "127.0.0.1", int(sys.argv[2]))
    else:
        asyncio.run(ask(int(sys.argv[2])))
