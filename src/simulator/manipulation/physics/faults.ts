import type { MjModel } from "@mujoco/mujoco";
import type { Held } from "./live.js";
import type { Names } from "./names.js";

/** What went wrong, in words; undefined where nothing did. */
type Fault = string | undefined;

type Warnings = Held["warnings"];

/**
 * Why MuJoCo put the model back to its start, which it does without a word when numbers explode. Undefined where
 * it did not.
 */
export function explosionOf({ mujoco, model, warnings }: Held, names: Names): Fault {
  const kinds = mujoco.mjtWarning;
  for (const [what, kind] of [
    ["position", kinds.mjWARN_BADQPOS],
    ["velocity", kinds.mjWARN_BADQVEL],
    ["acceleration", kinds.mjWARN_BADQACC],
  ] as const) {
    const at = raised(warnings, kind.value);
    if (at === undefined) continue;
    const owner = what === "position" ? jointOfPosition(model, at) : model.dof_jntid[at];
    return `the ${what} of ${jointText(model, names, owner)} is no number or beyond all bounds`;
  }
  return undefined;
}

/** What makes a state worthless that MuJoCo goes on with: numbers that are none, contacts that it left out. */
export function defectOf({ mujoco, model, warnings, views }: Held, names: Names): Fault {
  const { mjWARN_CONTACTFULL, mjWARN_CNSTRFULL } = mujoco.mjtWarning;
  return (
    shortage(warnings, mjWARN_CONTACTFULL.value, "contacts") ??
    shortage(warnings, mjWARN_CNSTRFULL.value, "constraints") ??
    unusable(model, names, views.qpos(), views.qvel())
  );
}

function shortage(warnings: Warnings, kind: number, what: string): Fault {
  if (raised(warnings, kind) === undefined) return undefined;
  return `MuJoCo ran out of memory for ${what} and left some out; raise <size memory>`;
}

/** What a warning was about, if it was given. */
function raised(warnings: Warnings, kind: number): number | undefined {
  const warning = warnings.get(kind);
  const info = warning && warning.number > 0 ? warning.lastinfo : undefined;
  warning?.delete();
  return info;
}

function unusable(model: MjModel, names: Names, qpos: Float64Array, qvel: Float64Array): Fault {
  const text = (what: string, joint: number) =>
    `the ${what} of ${jointText(model, names, joint)} is no number`;
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

/** Free joints rarely have a name; their body has. */
function jointText(model: MjModel, names: Names, joint: number): string {
  const name = names.name("joint", joint);
  return name ? `joint "${name}"` : `body "${names.name("body", model.jnt_bodyid[joint])}"`;
}
