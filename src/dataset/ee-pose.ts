/** `[x, y, z, qw, qx, qy, qz]`: how an end effector's pose is kept, whatever it came as. */
export type EePose = number[];

/** From robosuite's observations, whose quaternions are `[x, y, z, w]`. */
export function poseOfQuatXyzw(position: readonly number[], quat: readonly number[]): EePose {
  const [x = 0, y = 0, z = 0, w = 1] = quat;
  return [...position, w, x, y, z];
}

/** From an axis whose length is the angle in radians. */
export function poseOfAxisAngle(position: readonly number[], turn: readonly number[]): EePose {
  const [x = 0, y = 0, z = 0] = turn;
  const angle = Math.hypot(x, y, z);
  // sin(a/2)/a tends to 1/2; below this the division would lose all its digits.
  const scale = angle < 1e-12 ? 0.5 : Math.sin(angle / 2) / angle;
  return [...position, Math.cos(angle / 2), x * scale, y * scale, z * scale];
}
