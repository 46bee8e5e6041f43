"""Renders a scene with MuJoCo's renderer on the CPU (OSMesa) and measures RGB and depth of each camera.

Input, as JSON: parts {vertices, faces, uvs, texture, color}, textures as PNG, cameras {position, quat_wxyz, fovy},
width, height, samples per pixel, lamp (whether there is one, with shadows). Output, as JSON to the given file: median
milliseconds, and the depth images of some cameras for comparison.
"""

import base64
import json
import os
import statistics
import sys
import time

os.environ["MUJOCO_GL"] = "osmesa"
os.environ["LP_NUM_THREADS"] = "0"  # llvmpipe draws in the calling thread: one core, as the other side

import mujoco  # noqa: E402

scene = json.load(sys.stdin)
width, height = scene["width"], scene["height"]
assets, materials, meshes, geoms = {}, [], [], []


def numbers(values):
    return " ".join(f"{v:.6g}" for v in values)


def obj(part):
    lines = []
    for kind, key, size in (("v", "vertices", 3), ("vt", "uvs", 2)):
        values = part[key]
        lines += [f"{kind} {numbers(values[i:i + size])}" for i in range(0, len(values), size)]
    corner = "{0}/{0}" if part["uvs"] else "{0}"
    faces = part["faces"]
    for i in range(0, len(faces), 3):
        lines.append("f " + " ".join(corner.format(v + 1) for v in faces[i : i + 3]))
    return "\n".join(lines).encode()


for i, png in enumerate(scene["textures"]):
    assets[f"t{i}.png"] = base64.b64decode(png)
    materials.append(f'<texture name="t{i}" type="2d" file="t{i}.png"/>')
for i, part in enumerate(scene["parts"]):
    assets[f"m{i}.obj"] = obj(part)
    texture = "" if part["texture"] is None else f'texture="t{part["texture"]}"'
    materials.append(f'<material name="a{i}" rgba="{numbers(part["color"])}" {texture} specular="0"/>')
    # inertia="shell": a wall's inner side is a flat mesh, which has no volume.
    meshes.append(f'<mesh name="m{i}" file="m{i}.obj" inertia="shell"/>')
    geoms.append(f'<geom type="mesh" mesh="m{i}" material="a{i}" contype="0" conaffinity="0"/>')
lamp = '<light directional="true" pos="0 20 0" dir="-0.4 -0.8 -0.4"/>' if scene["lamp"] else ""
cameras = [
    f'<camera name="c{i}" pos="{numbers(c["position"])}" quat="{numbers(c["quat_wxyz"])}"'
    f' fovy="{c["fovy"]}"/>'
    for i, c in enumerate(scene["cameras"])
]
model = mujoco.MjModel.from_xml_string(
    f"""<mujoco>
  <visual>
    <global offwidth="{width}" offheight="{height}"/>
    <quality offsamples="{scene["samples"]}"/>
    <map znear="0.01" zfar="100"/>
  </visual>
  <statistic extent="1" center="0 0 0"/>
  <asset>{"".join(materials + meshes)}</asset>
  <worldbody>{lamp}{"".join(cameras + geoms)}</worldbody>
</mujoco>""",
    assets,
)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
renderer = mujoco.Renderer(model, height, width, max_geom=len(geoms) + 10)


def draw(camera, depth):
    if depth:
        renderer.enable_depth_rendering()
    else:
        renderer.disable_depth_rendering()
    started = time.perf_counter()
    renderer.update_scene(data, camera=f"c{camera}")
    picture = renderer.render()
    return picture, (time.perf_counter() - started) * 1000


draw(0, False), draw(0, True)
times = {"rgb": [], "depth": []}
depths = []
for camera in range(len(cameras)):
    times["rgb"].append(draw(camera, False)[1])
    picture, ms = draw(camera, True)
    times["depth"].append(ms)
    if camera in scene["compare"]:
        depths.append(base64.b64encode(picture.astype("<f4").tobytes()).decode())
result = {
    "version": mujoco.__version__,
    "rgb_ms": statistics.median(times["rgb"]),
    "depth_ms": statistics.median(times["depth"]),
    "depths": depths,
}
# Not to stdout, because PyOpenGL prints there at exit.
with open(sys.argv[1], "w") as file:
    json.dump(result, file)
