/**
 * Speed limit of each degree of freedom: m/s for prismatic, rad/s for revolute joints. Stretch's are the robot's own
 * (base 0.12 .. 0.3, lift 0.15, arm 0.14 .. 0.4 m/s); arm joints use typical values of small arms.
 */
const BY_NAME: readonly (readonly [RegExp, number])[] = [
  [/^base_[xy]$/, 0.25],
  [/^base_theta$/, 0.6],
  [/^lift$/, 0.15],
  [/^arm$/, 0.3],
  [/^wrist/, 1.5],
];

/**
 * A joint with a shorter range than this is prismatic: revolute joints have larger ranges in radians than slides in
 * metres.
 */
const SLIDE_RANGE = 1.6;
const SLIDE_SPEED = 0.2;
const TURN_SPEED = 1.2;

/** @param names of the degrees of freedom, if known */
export function speedLimits(
  limits: readonly (readonly [low: number, high: number])[],
  names: readonly (string | undefined)[],
): readonly number[] {
  return limits.map(([low, high], i) => {
    const name = names[i];
    const known = name === undefined ? undefined : BY_NAME.find(([form]) => form.test(name));
    if (known) return known[1];
    return high - low < SLIDE_RANGE ? SLIDE_SPEED : TURN_SPEED;
  });
}

/** Parses `action[2]: "base_theta: rotate_z, ..."`, the form in which tasks describe their vectors. */
export function dofNames(
  semantics: Readonly<Record<string, string>> | undefined,
  count: number,
): readonly (string | undefined)[] {
  return Array.from({ length: count }, (_, i) => {
    return semantics?.[`action[${i}]`]?.split(":")[0]?.trim();
  });
}
