/** True in `npm run soak`; set by vitest.soak.config.ts. */
export const IS_SOAK = process.env.ROBOT_EVAL_SOAK === "1";

/**
 * The cases of an exhaustive test: all of them in `npm run soak`, at most `count` in `npm test`, evenly spaced, the
 * first and the last included.
 */
export function sampled<T>(all: readonly T[], count: number): readonly T[] {
  if (IS_SOAK || all.length <= count) return all;
  const stride = count > 1 ? (all.length - 1) / (count - 1) : 0;
  return Array.from({ length: count }, (_, i) => all[Math.round(i * stride)] as T);
}
