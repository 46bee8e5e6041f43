import type { MjModel } from "@mujoco/mujoco";
import { readHandle } from "./arrays.js";
import type { ModelHandles } from "./handles.js";
import type { Names } from "./names.js";

/** Description of the problem; undefined if there is none. */
type Fault = string | undefined;

type Warnings = ModelHandles["warnings"];

/**
 * Why MuJoCo reset the model, which it does silently when the state diverges; undefined if it did not.
 */
export function divergenceFault({ mujoco, model, warnings }: ModelHandles, names: Names): Fault {
  const kinds = mujoco.mjtWarning;
  for (const [what, kind] of [
    ["position", kinds.mjWARN_BADQPOS],
    ["velocity", kinds.mjWARN_BADQVEL],
    ["acceleration", kinds.mjWARN_BADQACC],
  ] as const) {
    const at = raised(warnings, kind.value);
    if (at === undefined) continue;
    const owner = what === "position" ? jointOfPosition(model, at) : model.dof_jntid[at];
    return `the ${what} of ${jointText(model, names, owner)} is not finite or too large`;
  }
  return undefined;
}

/** Faults after which MuJoCo continues although the state is invalid: omitted contacts, values that are not finite. */
export function stateFault({ mujoco, model, warnings, views }: ModelHandles, names: Names): Fault {
  const { mjWARN_CONTACTFULL, mjWARN_CNSTRFULL } = mujoco.mjtWarning;
  return (
    shortage(warnings, mjWARN_CONTACTFULL.value, "contacts") ??
    shortage(warnings, mjWARN_CNSTRFULL.value, "constraints") ??
    unusable(model, names, views.qpos(), views.qvel())
  );
}

function shortage(warnings: Warnings, kind: number, what: string): Fault {
  if (raised(warnings, kind) === undefined) return undefined;
  return `MuJoCo ran out of memory for ${what} and omitted some; increase <size memory>`;
}

/** The index that a warning names; undefined if it was not raised. */
function raised(warnings: Warnings, kind: number): number | undefined {
  const warning = warnings.get(kind);
  return warning && readHandle(warning, (one) => (one.number > 0 ? one.lastinfo : undefined));
}

function unusable(model: MjModel, names: Names, qpos: Float64Array, qvel: Float64Array): Fault {
  const text = (what: string, joint: number) =>
    `the ${what} of ${jointText(model, names, joint)} is not finite`;
  const position = qpos.findIndex(isUnusable);
  if (position >= 0) return text("position", jointOfPosition(model, position));
  const velocity = qvel.findIndex(isUnusable);
  return velocity < 0 ? undefined : text("velocity", model.dof_jntid[velocity]);
}

function isUnusable(x: number): boolean {
  return !Number.isFinite(x);
}

function jointOfPosition(model: MjModel, position: number): number {
  const addresses: Int32Array = model.jnt_qposadr;
  return addresses.findLastIndex((address) => address <= position);
}

/** Free joints rarely have a name, so their body is named instead. */
function jointText(model: MjModel, names: Names, joint: number): string {
  const name = names.name("joint", joint);
  return name ? `joint "${name}"` : `body "${names.name("body", model.jnt_bodyid[joint])}"`;
}
