import { multiply } from "../../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { compass, gps, type Pose } from "../../navigation/kinematics.js";
import type { BasePose } from "../control/base-drive.js";
import { turn, yawQuat } from "../world/yaw.js";

/** Where a base is relative to its start: the gps and compass of navigation. */
export class BaseOdometry {
  readonly #start: Pose;
  readonly #pose: () => BasePose;

  constructor(pose: () => BasePose) {
    this.#pose = pose;
    this.#start = navigationPose(pose());
  }

  gps(): Vec3 {
    return gps(this.#start, navigationPose(this.#pose()).position);
  }

  compass(): readonly [number] {
    return [compass(this.#start, navigationPose(this.#pose()).headingRad)];
  }

  /** A pose [x, y, z, qw, qx, qy, qz] of the world in the frame of the base: x ahead, y left, z up. */
  ownFrame([px = 0, py = 0, pz = 0, w = 1, qx = 0, qy = 0, qz = 0]: readonly number[]): number[] {
    const [x, y, theta] = this.#pose();
    const [ahead, left] = turn(-theta, px - x, py - y);
    return [ahead, left, pz, ...multiply(yawQuat(-theta), [w, qx, qy, qz])];
  }
}

/** Converts MuJoCo's axes to those of navigation: y up, and heading 0 along -z instead of +x. */
function navigationPose([x, y, theta]: BasePose): Pose {
  return { position: [x, 0, 0 - y], headingRad: theta - Math.PI / 2 };
}
