"""Renders MuJoCo models of other projects with MuJoCo's own OpenGL renderer on the CPU (OSMesa).

    python mujoco_look_peer.py [--size 256] OUT MODEL...

MODEL is `robosuite:Lift`, `gymnasium:FetchPickAndPlace-v4` or the path of an MJCF file. Each model becomes a folder
OUT/<name> that another renderer can draw without any of these packages:

    model.xml, assets/            the model, with all its files
    state.json                    qpos, visible groups, cameras, and the CPU and wall milliseconds of a frame
    theirs-<camera>.png           the frame of `mujoco.Renderer`: 4x MSAA, shadows, reflections
    segmentation-<camera>.i32     geom id of each pixel, -1 for the background
    depth-<camera>.f32            metres along the optical axis

Raw files are little-endian, rows from the top. Segmentation and depth are of geoms alone (sites, tendons and skins hidden) at
the centres of pixels (no MSAA: resolving depth takes one of the samples, which are off centre).
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import time
from enum import IntEnum

os.environ["MUJOCO_GL"] = "osmesa"
os.environ["LP_NUM_THREADS"] = "0"  # llvmpipe draws in the calling thread: one core, as the other side

import mujoco  # noqa: E402
import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

TIMED_SECONDS = 0.5
# Other models are seen from their first two cameras, or from two free ones.
CAMERAS = {
    "robosuite": ["agentview", "robot0_eye_in_hand"],
    "gymnasium:FetchPickAndPlace-v4": ["external_camera_0", "head_camera_rgb"],
}
# Point to look at, distance, azimuth and elevation of a free camera: the viewers' own settings of these environments.
VIEWS = {
    "gymnasium:FrankaKitchen-v1": ([-0.2, 0.5, 2.0], 2.2, 70, -35),
    "gymnasium:HandManipulateBlock-v1": ([1, 0.96, 0.14], 0.5, 55, -25),
}


def robosuite_model(task):
    """The composed model of a task after a reset, with the groups that robosuite shows: visual geoms and no sites."""
    import robosuite

    unseen = {"has_renderer": False, "has_offscreen_renderer": False, "use_camera_obs": False}
    env = robosuite.make(task, robots="Panda", seed=0, **unseen)
    env.reset()
    spec = mujoco.MjSpec.from_string(env.model.get_xml())
    groups = {"geom": [1, 2], "site": []}
    return spec, env.sim.model._model, env.sim.data._data, groups


def gymnasium_model(name):
    """The model of an environment after a reset."""
    import gymnasium
    import gymnasium_robotics

    gymnasium.register_envs(gymnasium_robotics)
    env = gymnasium.make(name)
    env.reset(seed=0)
    spec = mujoco.MjSpec.from_file(model_path(env.unwrapped))
    return spec, env.unwrapped.model, env.unwrapped.data, DEFAULT_GROUPS


def model_path(env):
    if getattr(env, "fullpath", None):
        return str(env.fullpath)
    return env.robot_env.fullpath  # the kitchen wraps the environment of its robot


def file_model(path):
    """An MJCF file at its first keyframe."""
    spec = mujoco.MjSpec.from_file(path)
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    return spec, model, data, DEFAULT_GROUPS


DEFAULT_GROUPS = {"geom": [0, 1, 2], "site": [0, 1, 2]}
SOURCES = {"robosuite": robosuite_model, "gymnasium": gymnasium_model}


def place_bodies(spec, model, data):
    """Writes the poses of fixtures, which a reset moves in the compiled model, and of mocap bodies into the model."""
    for body in spec.bodies[1:]:
        if not body.name:
            continue
        found = model.body(body.name)
        mocap = found.mocapid[0]
        body.pos = found.pos if mocap < 0 else data.mocap_pos[mocap]
        body.quat = found.quat if mocap < 0 else data.mocap_quat[mocap]
        body.alt.type = mujoco.mjtOrientation.mjORIENTATION_QUAT


def support_old_packages():
    """Robosuite 1.5.2 and Gymnasium-Robotics 1.4 compare joint types with numbers and read `qM`, as in MuJoCo 3.3."""
    mujoco.mjtJoint = IntEnum("mjtJoint", {k: int(v) for k, v in mujoco.mjtJoint.__members__.items()})
    if not hasattr(mujoco.MjData, "qM"):
        full = mujoco.mj_fullM
        mujoco.MjData.qM = property(lambda data: data)
        mujoco.mj_fullM = lambda model, out, data: full(model, data, out)


def with_free_cameras(spec, start, view):
    """Adds two cameras from two sides to a model without two cameras of its own; returns their names."""
    lookat, distance, azimuth, elevation = view or around_bodies(spec, start)
    for name, a, e in (("free_0", azimuth, elevation), ("free_1", azimuth + 110, elevation - 20)):
        a, e = np.radians(a), np.radians(e)
        forward = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        right = np.array([np.sin(a), -np.cos(a), 0])
        pose = quaternion(right, np.cross(right, forward))
        spec.worldbody.add_camera(name=name, pos=lookat - distance * forward, quat=pose, fovy=45)
    return ["free_0", "free_1"]


def around_bodies(spec, start):
    """A view of the centre of mass from as far as shows most bodies, in the model's own direction."""
    model = spec.compile()
    data = at_state(model, start)
    centre = data.subtree_com[0]
    radius = np.percentile(np.linalg.norm(data.xpos[1:] - centre, axis=1), 90)
    return centre, 3 * radius, model.vis.global_.azimuth, model.vis.global_.elevation


def at_state(model, start):
    data = mujoco.MjData(model)
    data.qpos[:] = start.qpos
    mujoco.mj_forward(model, data)
    return data


def quaternion(x, y):
    out = np.zeros(4)
    mujoco.mju_mat2Quat(out, np.array([x, y, np.cross(x, y)]).T.flatten())
    return out


def save(spec, folder):
    """Writes the model with copies of its files, which other renderers find relative to it."""
    assets = folder / "assets"
    assets.mkdir(parents=True)

    def copied(directory, file):
        source = pathlib.Path(spec.modelfiledir or ".", directory, file)
        name, count = source.name, 0
        while (assets / name).exists() and (assets / name).read_bytes() != source.read_bytes():
            count += 1
            name = f"{source.stem}_{count}{source.suffix}"
        shutil.copy(source, assets / name)
        return name

    for part in [*spec.meshes, *spec.hfields]:
        if part.file:
            part.file = copied(spec.meshdir, part.file)
    for texture in spec.textures:
        if texture.file:
            texture.file = copied(spec.texturedir, texture.file)
        texture.cubefiles = [file and copied(spec.texturedir, file) for file in texture.cubefiles]
    spec.meshdir = spec.texturedir = "assets"
    spec.modelfiledir = str(folder)
    # Room for thousands of contacts is gigabytes, and WebAssembly has two at most.
    spec.nconmax = spec.njmax = spec.nstack = -1
    spec.memory = 64 * 2**20
    spec.compile()
    (folder / "model.xml").write_text(spec.to_xml())


def option_of(groups):
    option = mujoco.MjvOption()
    for kind in ("geom", "site"):
        getattr(option, f"{kind}group")[:] = [int(i in groups[kind]) for i in range(6)]
    return option


def draw(model, data, groups, cameras, size, folder):
    """Writes the frames of a model; returns the cameras with their poses and the median milliseconds of a frame."""
    written = []
    option = option_of(groups)
    with mujoco.Renderer(model, size, size) as renderer:
        samples = renderer._mjr_context.offSamples
        for camera in cameras:
            times, walls = [], []
            # The first frame, which uploads the model, is not counted.
            while len(times) < 3 or sum(times[1:]) < TIMED_SECONDS * 1000:
                started, started_wall = time.process_time(), time.perf_counter()
                renderer.update_scene(data, camera, option)
                frame = renderer.render()
                times.append((time.process_time() - started) * 1000)
                walls.append((time.perf_counter() - started_wall) * 1000)
            Image.fromarray(frame).save(folder / f"theirs-{camera}.png")
            view = data.camera(camera)
            pose = np.zeros(4)
            mujoco.mju_mat2Quat(pose, view.xmat)
            written.append(
                {
                    "name": camera,
                    "position": view.xpos.tolist(),
                    "rotation_wxyz": pose.tolist(),
                    "fovy_deg": float(model.camera(camera).fovy[0]),
                    "ms": statistics.median(times[1:]),
                    "wall_ms": statistics.median(walls[1:]),
                }
            )
    model.vis.quality.offsamples = 0
    option.sitegroup[:] = 0
    option.flags[mujoco.mjtVisFlag.mjVIS_TENDON] = False
    option.flags[mujoco.mjtVisFlag.mjVIS_SKIN] = False
    with mujoco.Renderer(model, size, size) as renderer:
        for camera in cameras:
            renderer.update_scene(data, camera, option)
            renderer.enable_depth_rendering()
            renderer.render().astype("<f4").tofile(folder / f"depth-{camera}.f32")
            renderer.disable_depth_rendering()
            renderer.enable_segmentation_rendering()
            ids, kinds = np.moveaxis(renderer.render(), 2, 0)
            renderer.disable_segmentation_rendering()
            ids = np.where(kinds == mujoco.mjtObj.mjOBJ_GEOM.value, ids, -1)
            ids.astype("<i4").tofile(folder / f"segmentation-{camera}.i32")
    return written, samples


def write(name, size, out):
    source, _, rest = name.partition(":")
    if source in SOURCES:
        spec, model, start, groups = SOURCES[source](rest)
        folder = out / f"{source}-{rest}"
    else:
        spec, model, start, groups = file_model(name)
        folder = out / pathlib.Path(name).parent.name
    place_bodies(spec, model, start)
    own = [camera.name for camera in spec.cameras][:2]
    cameras = CAMERAS.get(name) or CAMERAS.get(source) or own
    if name in VIEWS or len(cameras) < 2:
        cameras = with_free_cameras(spec, start, VIEWS.get(name))
    making = folder.with_name(f".{folder.name}")
    for old in (making, folder):
        shutil.rmtree(old, ignore_errors=True)
    save(spec, making)
    model = mujoco.MjModel.from_xml_path(str(making / "model.xml"))
    data = at_state(model, start)
    drawn, samples = draw(model, data, groups, cameras, size, making)
    state = {
        "mujoco": mujoco.__version__,
        "width": size,
        "height": size,
        "samples": samples,
        "qpos": data.qpos.tolist(),
        "geom_groups": groups["geom"],
        "site_groups": groups["site"],
        "cameras": drawn,
    }
    (making / "state.json").write_text(json.dumps(state, indent=1))
    making.rename(folder)


parser = argparse.ArgumentParser()
parser.add_argument("--size", type=int, default=256, help="width and height in pixels")
parser.add_argument("out", type=pathlib.Path)
parser.add_argument("models", nargs="+")
arguments = parser.parse_args()
support_old_packages()
for name in arguments.models:
    write(name, arguments.size, arguments.out)
