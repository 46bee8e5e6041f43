import type { MjModel } from "@mujoco/mujoco";
import { Contacts } from "./contacts.js";
import { Derived } from "./derived.js";
import { SiteJacobian } from "./jacobian.js";
import { ScalarJoints } from "./joints.js";
import type { Mujoco } from "./mujoco.js";
import type { Names } from "./names.js";
import { Scratch } from "./scratch.js";
import { viewsOf } from "./views.js";

/** All that one Physics holds in WASM memory, to be given back together. */
export function holdModel(mujoco: Mujoco, model: MjModel, names: Names) {
  const data = new mujoco.MjData(model);
  const views = viewsOf(model, data);
  const jacobian = new SiteJacobian(mujoco, model);
  const velocity = new mujoco.DoubleBuffer(6);
  let made: Scratch | undefined;
  const scratch = () => {
    made ??= new Scratch(mujoco, model, names, jacobian);
    return made;
  };
  const contacts = new Contacts(mujoco, model, data, scratch);
  return {
    mujoco,
    model,
    data,
    jacobian,
    velocity,
    contacts,
    derived: new Derived(mujoco, model, data),
    /** Made when first asked for: it takes as much memory as the data. */
    scratch,
    views,
    joints: new ScalarJoints(mujoco, names, views),
    /** A part of `data`, so not deleted by itself. Each asking for it makes another handle. */
    warnings: data.warning,
    dispose() {
      made?.dispose();
      contacts.dispose();
      velocity.delete();
      jacobian.dispose();
      data.delete();
      model.delete();
    },
  };
}

export type Held = ReturnType<typeof holdModel>;
