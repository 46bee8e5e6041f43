import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { rotate } from "../../../core/math/quat-wxyz.js";
import { add, type Vec3 } from "../../../core/math/vec3.js";
import type { ObjectSpec } from "./world.js";

type Framed = Pick<ObjectSpec, "name" | "centreInBody">;

/**
 * The pose of an object's centre. Generated bodies have their origin there; bodies of a file may have it anywhere.
 */
export function objectPose(
  physics: { body(name: string): Pose3 },
  { name, centreInBody }: Framed,
): Pose3 {
  const pose = physics.body(name);
  return centreInBody ? shifted(pose, centreInBody) : pose;
}

/** The inverse of `objectPose`: the body's pose for a pose of the object's centre. */
export function bodyPose(centre: Pose3, centreInBody: Vec3): Pose3 {
  const [x, y, z] = centreInBody;
  return shifted(centre, [-x, -y, -z]);
}

/** Translates a pose along its own axes. */
function shifted({ position, rotation_wxyz }: Pose3, by: Vec3): Pose3 {
  return { position: add(position, rotate(rotation_wxyz, by)), rotation_wxyz };
}
