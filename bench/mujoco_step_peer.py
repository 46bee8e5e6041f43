"""Steps a model with Python's mujoco as an evaluation does, and measures the time.

Input, as JSON: the MJCF, one control vector per control step, and the names to read. Output, as JSON: physics steps
per second of CPU time without reading, and control steps with reading.
"""

import itertools
import json
import sys
import time

import mujoco
import numpy as np

scene = json.load(sys.stdin)
model = mujoco.MjModel.from_xml_string(scene["xml"])
substeps, actions = scene["substeps"], np.array(scene["actions"])


def ids(kind, names):
    return [mujoco.mj_name2id(model, kind, name) for name in names]


OBJ = mujoco.mjtObj
controls = ids(OBJ.mjOBJ_ACTUATOR, scene["actuators"])
dofs = [ids(OBJ.mjOBJ_JOINT, joints) for joints in scene["dofs"]]
positions = [[model.jnt_qposadr[joint] for joint in joints] for joints in dofs]
velocities = [[model.jnt_dofadr[joint] for joint in joints] for joints in dofs]
(site,) = ids(OBJ.mjOBJ_SITE, [scene["site"]])
bodies = ids(OBJ.mjOBJ_BODY, scene["objects"])
(robot,) = ids(OBJ.mjOBJ_BODY, [scene["robot"]])
fingers = [set(ids(OBJ.mjOBJ_GEOM, geoms)) for geoms in scene["fingers"]]


def geoms_below(root):
    def below(body):
        while body not in (root, 0):
            body = model.body_parentid[body]
        return body == root

    return {geom for geom in range(model.ngeom) if below(model.geom_bodyid[geom])}


objects = [geoms_below(body) for body in bodies]
robot_geoms = geoms_below(robot)


def begin():
    data = mujoco.MjData(model)
    for at, value in zip(positions, actions[0]):
        for address in at:
            data.qpos[address] = value / len(at)
    mujoco.mj_forward(model, data)
    return data


def read(data):
    state = {
        "qpos": [float(data.qpos[at].sum()) for at in positions],
        "qvel": [float(data.qvel[at].sum()) for at in velocities],
        "hand": [*data.site_xpos[site].tolist(), *data.site_xmat[site].tolist()],
    }
    velocity, force = np.zeros(6), np.zeros(6)
    poses = []
    for body in bodies:
        mujoco.mj_objectVelocity(model, data, OBJ.mjOBJ_XBODY, body, velocity, 0)
        poses.append((data.xpos[body].tolist(), data.xquat[body].tolist(), velocity.tolist()))
    pairs = data.contact.geom.tolist()
    pressing = [[0.0, 0.0] for _ in objects]
    touched = [False for _ in objects]
    touching = set()
    for i, (a, b) in enumerate(pairs):
        for o, geoms in enumerate(objects):
            if (a in geoms) == (b in geoms):
                continue
            other = b if a in geoms else a
            touched[o] = touched[o] or other in robot_geoms
            for f, finger in enumerate(fingers):
                if other in finger:
                    mujoco.mj_contactForce(model, data, i, force)
                    pressing[o][f] += float(force[0])
    for (i, first), (j, second) in itertools.combinations(enumerate(objects), 2):
        if any((a in first and b in second) or (b in first and a in second) for a, b in pairs):
            touching.add((i, j))
    return state, poses, pressing, touched, touching


def run(reading):
    data = begin()
    started = time.process_time()
    for action in actions:
        data.ctrl[controls] = action
        for _ in range(substeps):
            mujoco.mj_step(model, data)
        if reading:
            read(data)
    seconds = time.process_time() - started
    assert abs(data.time - len(actions) * substeps * model.opt.timestep) < 1e-6, "diverged"
    return len(actions) / seconds


run(False)
print(
    json.dumps(
        {"version": mujoco.__version__, "physics": run(False) * substeps, "control": run(True)}
    )
)
