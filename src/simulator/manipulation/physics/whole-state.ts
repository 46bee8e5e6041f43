import type { MjData, MjModel } from "@mujoco/mujoco";
import { DataError } from "../../../core/errors.js";

/** Everything that the next step of a model depends on, in MuJoCo's order. */
export interface WholeState {
  readonly qpos: readonly number[];
  readonly qvel: readonly number[];
  readonly act: readonly number[];
  readonly ctrl: readonly number[];
  /** Where the solver starts. */
  readonly qacc_warmstart: readonly number[];
  /** Positions of mocap bodies. */
  readonly mocap_pos: readonly (readonly number[])[];
  /** Quaternions [w, x, y, z] of mocap bodies. */
  readonly mocap_quat: readonly (readonly number[])[];
}

/** @throws DataError if a list has another length than in the model */
export function setWholeState(
  model: MjModel,
  data: MjData,
  state: WholeState,
  where: string,
): void {
  const parts = [
    ["qpos", data.qpos, state.qpos, model.nq],
    ["qvel", data.qvel, state.qvel, model.nv],
    ["act", data.act, state.act, model.na],
    ["ctrl", data.ctrl, state.ctrl, model.nu],
    ["qacc_warmstart", data.qacc_warmstart, state.qacc_warmstart, model.nv],
    ["mocap_pos", data.mocap_pos, state.mocap_pos.flat(), 3 * model.nmocap],
    ["mocap_quat", data.mocap_quat, state.mocap_quat.flat(), 4 * model.nmocap],
  ] as const;
  for (const [name, array, values, length] of parts) {
    if (values.length !== length) {
      throw new DataError(
        "bad_state",
        `${name} has ${values.length} numbers; the model has ${length}`,
        { where, hint: "write the episodes and the model together, with the same freezer" },
      );
    }
    if (length > 0) array.set(values);
  }
}
