import type { MjData, MjModel } from "@mujoco/mujoco";
import type { Mujoco } from "./mujoco.js";
import type { Names } from "./physics-names.js";

/**
 * What went wrong in the physics, in words; undefined where nothing did. MuJoCo throws nothing: it puts
 * the model back to its start when numbers explode, and leaves contacts out when memory runs short.
 */
export function faultOf(
  mujoco: Mujoco,
  model: MjModel,
  data: MjData,
  names: Names,
): string | undefined {
  const kinds = mujoco.mjtWarning;
  // A part of MjData itself and no copy: it is not deleted.
  const warnings = data.warning;
  const raised = (kind: number): number | undefined => {
    const warning = warnings.get(kind);
    const info = warning && warning.number > 0 ? warning.lastinfo : undefined;
    warning?.delete();
    return info;
  };
  for (const [what, kind] of [
    ["position", kinds.mjWARN_BADQPOS],
    ["velocity", kinds.mjWARN_BADQVEL],
    ["acceleration", kinds.mjWARN_BADQACC],
  ] as const) {
    const at = raised(kind.value);
    if (at === undefined) continue;
    const owner = what === "position" ? jointOfPosition(model, at) : model.dof_jntid[at];
    return `the ${what} of ${jointText(model, names, owner)} is no number or beyond all bounds`;
  }
  for (const [what, kind] of [
    ["contacts", kinds.mjWARN_CONTACTFULL],
    ["constraints", kinds.mjWARN_CNSTRFULL],
  ] as const) {
    if (raised(kind.value) !== undefined) {
      return `MuJoCo ran out of memory for ${what} and left some out; raise <size memory>`;
    }
  }
  return unusable(model, names, data.qpos, data.qvel);
}

function unusable(
  model: MjModel,
  names: Names,
  qpos: Float64Array,
  qvel: Float64Array,
): string | undefined {
  const text = (what: string, joint: number) =>
    `the ${what} of ${jointText(model, names, joint)} is no number`;
  const position = qpos.findIndex((x) => !Number.isFinite(x));
  if (position >= 0) return text("position", jointOfPosition(model, position));
  const velocity = qvel.findIndex((x) => !Number.isFinite(x));
  return velocity < 0 ? undefined : text("velocity", model.dof_jntid[velocity]);
}

function jointOfPosition(model: MjModel, position: number): number {
  const addresses: Int32Array = model.jnt_qposadr;
  return addresses.findLastIndex((address) => address <= position);
}

/** Free joints rarely have a name; their body has. */
function jointText(model: MjModel, names: Names, joint: number): string {
  const name = names.name("joint", joint);
  return name ? `joint "${name}"` : `body "${names.name("body", model.jnt_bodyid[joint])}"`;
}
