import type { MjData, MjModel } from "@mujoco/mujoco";
import { lasting } from "./arrays.js";

/** MuJoCo's arrays that are read often. */
export function viewsOf(model: MjModel, data: MjData) {
  return {
    qpos: lasting<Float64Array>(() => data.qpos),
    qvel: lasting<Float64Array>(() => data.qvel),
    ctrl: lasting<Float64Array>(() => data.ctrl),
    xpos: lasting<Float64Array>(() => data.xpos),
    xquat: lasting<Float64Array>(() => data.xquat),
    sitePositions: lasting<Float64Array>(() => data.site_xpos),
    siteMatrices: lasting<Float64Array>(() => data.site_xmat),
    geomPositions: lasting<Float64Array>(() => data.geom_xpos),
    geomMatrices: lasting<Float64Array>(() => data.geom_xmat),
    positionAddresses: lasting<Int32Array>(() => model.jnt_qposadr),
    velocityAddresses: lasting<Int32Array>(() => model.jnt_dofadr),
    jointTypes: lasting<Int32Array>(() => model.jnt_type),
    controlAddresses: lasting<Int32Array>(() => model.actuator_ctrladr),
  };
}

export type Views = ReturnType<typeof viewsOf>;
