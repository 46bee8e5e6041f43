import type { MjData, MjModel } from "@mujoco/mujoco";
import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { cachedView, quatOfMatrixAt, vec3At } from "./arrays.js";

/** Cached views of MuJoCo's arrays that are read often. */
export function viewsOf(model: MjModel, data: MjData) {
  return {
    qpos: cachedView<Float64Array>(() => data.qpos),
    qvel: cachedView<Float64Array>(() => data.qvel),
    qacc: cachedView<Float64Array>(() => data.qacc),
    biases: cachedView<Float64Array>(() => data.qfrc_bias),
    ctrl: cachedView<Float64Array>(() => data.ctrl),
    xpos: cachedView<Float64Array>(() => data.xpos),
    xquat: cachedView<Float64Array>(() => data.xquat),
    sitePositions: cachedView<Float64Array>(() => data.site_xpos),
    siteMatrices: cachedView<Float64Array>(() => data.site_xmat),
    geomPositions: cachedView<Float64Array>(() => data.geom_xpos),
    geomMatrices: cachedView<Float64Array>(() => data.geom_xmat),
    positionAddresses: cachedView<Int32Array>(() => model.jnt_qposadr),
    velocityAddresses: cachedView<Int32Array>(() => model.jnt_dofadr),
    jointTypes: cachedView<Int32Array>(() => model.jnt_type),
    controlAddresses: cachedView<Int32Array>(() => model.actuator_ctrladr),
  };
}

export type Views = ReturnType<typeof viewsOf>;

export function sitePose({ sitePositions, siteMatrices }: Views, id: number): Pose3 {
  return {
    position: vec3At(sitePositions(), id),
    rotation_wxyz: quatOfMatrixAt(siteMatrices(), id),
  };
}
