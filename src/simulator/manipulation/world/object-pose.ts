import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { rotate } from "../../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { ObjectSpec } from "./world.js";

type Framed = Pick<ObjectSpec, "name" | "middleInBody">;

/**
 * Where an object's middle is, turned as its body. Bodies that are made here have their frame in the middle; a
 * file's may have it anywhere.
 */
export function objectPose(
  physics: { body(name: string): Pose3 },
  { name, middleInBody }: Framed,
): Pose3 {
  const pose = physics.body(name);
  return middleInBody ? shifted(pose, middleInBody) : pose;
}

/** The pose of the body whose object has its middle there. */
export function bodyPose(middle: Pose3, middleInBody: Vec3): Pose3 {
  const [x, y, z] = middleInBody;
  return shifted(middle, [-x, -y, -z]);
}

/** A pose moved along its own axes. */
function shifted({ position: [x, y, z], rotation_wxyz }: Pose3, by: Vec3): Pose3 {
  const [dx, dy, dz] = rotate(rotation_wxyz, by);
  return { position: [x + dx, y + dy, z + dz], rotation_wxyz };
}
