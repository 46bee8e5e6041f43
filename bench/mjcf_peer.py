"""Loads a model with Python's mujoco and draws one image; prints nothing, the caller measures the process."""

import sys

import mujoco

model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
if sys.argv[2] == "draw":
    renderer = mujoco.Renderer(model, 480, 640)
    renderer.update_scene(data)
    renderer.render()
