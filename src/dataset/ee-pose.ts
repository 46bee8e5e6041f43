/** An end effector's pose, `[x, y, z, qw, qx, qy, qz]`, whatever the source format. */
export type EePose = number[];

/** Converts a pose from robosuite's observations, whose quaternions are `[x, y, z, w]`. */
export function poseOfQuatXyzw(position: readonly number[], quat: readonly number[]): EePose {
  const [x = 0, y = 0, z = 0, w = 1] = quat;
  return [...position, w, x, y, z];
}

/** Converts a rotation vector: its direction is the axis, its length the angle in radians. */
export function poseOfAxisAngle(position: readonly number[], turn: readonly number[]): EePose {
  const [x = 0, y = 0, z = 0] = turn;
  const angle = Math.hypot(x, y, z);
  // sin(a/2)/a tends to 1/2; for smaller angles the division would lose all precision.
  const scale = angle < 1e-12 ? 0.5 : Math.sin(angle / 2) / angle;
  return [...position, Math.cos(angle / 2), x * scale, y * scale, z * scale];
}
