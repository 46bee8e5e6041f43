import type { MjModel } from "@mujoco/mujoco";
import type { CameraLens } from "../../visual/geom.js";
import type { Mujoco } from "../mujoco.js";

/** The opening of a camera of the model: from its sensor if it has one, else from its field of view. */
export function lensOf(mujoco: Mujoco, model: MjModel, camera: number): CameraLens {
  const orthographic =
    model.cam_projection[camera] === mujoco.mjtProjection.mjPROJ_ORTHOGRAPHIC.value;
  const fovy: number = model.cam_fovy[camera];
  const [width = 0, height = 0]: number[] = [
    ...model.cam_sensorsize.subarray(2 * camera, 2 * camera + 2),
  ];
  if (orthographic) return { top: fovy / 2, bottom: -fovy / 2, sides: undefined, orthographic };
  if (height > 0) {
    const [focalX = 1, focalY = 1, centreX = 0, centreY = 0]: number[] = [
      ...model.cam_intrinsic.subarray(4 * camera, 4 * camera + 4),
    ];
    // The principal point is measured from the centre, to the right and down.
    const middle = centreX / focalX;
    const half = width / 2 / focalX;
    return {
      top: (height / 2 - centreY) / focalY,
      bottom: -(height / 2 + centreY) / focalY,
      sides: [middle - half, middle + half],
      orthographic,
    };
  }
  const half = Math.tan((fovy * Math.PI) / 360);
  return { top: half, bottom: -half, sides: undefined, orthographic };
}
