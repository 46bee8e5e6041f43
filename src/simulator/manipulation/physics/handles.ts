import type { MjModel } from "@mujoco/mujoco";
import { Contacts } from "./contacts.js";
import { Derived } from "./derived.js";
import { JointInertia } from "./inertia.js";
import { SiteJacobian } from "./jacobian.js";
import { ScalarJoints } from "./joints.js";
import { ModelChanges } from "./model-changes.js";
import type { Mujoco } from "./mujoco.js";
import type { Names } from "./names.js";
import { Scratch } from "./scratch.js";
import { RayCaster } from "./sight/rays.js";
import { viewsOf } from "./views.js";

/** Everything that one `Physics` owns in WASM memory. */
export function createHandles(mujoco: Mujoco, model: MjModel, names: Names) {
  const data = new mujoco.MjData(model);
  const views = viewsOf(model, data);
  const jacobian = new SiteJacobian(model, data);
  const inertia = new JointInertia(model, data);
  const velocity = new mujoco.DoubleBuffer(6);
  let created: Scratch | undefined;
  const scratch = () => {
    created ??= new Scratch(mujoco, model, names);
    return created;
  };
  const contacts = new Contacts(mujoco, model, data, scratch);
  const rays = new RayCaster(mujoco, model, data);
  return {
    mujoco,
    model,
    data,
    jacobian,
    inertia,
    velocity,
    contacts,
    changes: new ModelChanges(model),
    rays,
    derived: new Derived(mujoco, model, data),
    /** Created on first use, because it takes as much memory as `data`. */
    scratch,
    views,
    joints: new ScalarJoints(mujoco, names, views),
    /** Part of `data`, and deleted with it. Cached, because each read of `data.warning` creates a handle. */
    warnings: data.warning,
    dispose() {
      created?.dispose();
      contacts.dispose();
      rays.dispose();
      velocity.delete();
      data.delete();
      model.delete();
    },
  };
}

export type ModelHandles = ReturnType<typeof createHandles>;
