"""Serves a Gymnasium environment to robot-eval.

    python serve_gymnasium.py
    robot-eval run <benchmark> --set simulator.backend=remote --set simulator.url=ws://127.0.0.1:<port>
"""
import gymnasium
from robot_eval_client.sim import serve_env

if __name__ == "__main__":
    serve_env(lambda: gymnasium.make("Pendulum-v1"))
