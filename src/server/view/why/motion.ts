import { dtwPoints } from "../../../core/math/dtw.js";
import { discreteFrechet } from "../../../core/math/frechet.js";
import { distance3, type Vec3 } from "../../../core/math/vec3.js";
import { type Explain, metres, plain, put, type WhyInput } from "./input.js";
import { withPaths } from "./path.js";

/** Metrics that compare an arm's motion with the reference demonstration. */

function pathsOf({ episode, records }: WhyInput) {
  const path = points(records.map(({ state }) => state.ee_pose ?? []));
  const reference = points(episode.referenceData?.trajectory?.ee_pose ?? []);
  return path && reference ? { path, reference } : {};
}

/** Undefined if there are no poses or one is invalid. */
function points(poses: readonly (readonly number[])[]): Vec3[] | undefined {
  const found = poses.flatMap(([x, y, z]): Vec3[] =>
    x === undefined || y === undefined || z === undefined ? [] : [[x, y, z]],
  );
  return found.length === poses.length && found.length > 0 ? found : undefined;
}

const trajectorySimilarity = withPaths(pathsOf, ({ path, reference }, { settings }) => {
  const { scale = 0.05 } = settings;
  if (typeof scale !== "number") return undefined;
  const sum = dtwPoints(path, reference);
  const n = reference.length;
  return {
    value: Math.exp(-sum / (n * scale)),
    formula: "similarity = exp(−DTW / (|R| × scale))",
    substituted: `exp(−${put(sum)} / (${put(n)} × ${put(scale)}))`,
    terms: [metres("DTW", sum), plain("|R|", n), metres("scale", scale)],
  };
});

const eeFrechet = withPaths(pathsOf, ({ path, reference }) => {
  const value = discreteFrechet(path.length, reference.length, (i, j) =>
    distance3(path[i] as Vec3, reference[j] as Vec3),
  );
  return {
    value,
    formula: "worst distance between aligned points of P and R, under the best alignment",
    substituted: `${put(path.length)} points of P, ${put(reference.length)} of R`,
    inWords: true,
    terms: [metres("distance", value)],
  };
});

const jointRmse: Explain = ({ episode, records }) => {
  const reference = episode.referenceData?.trajectory?.qpos ?? [];
  const executed = records.flatMap(({ state }) => (state.qpos ? [state.qpos] : []));
  const joints = reference[0]?.length ?? 0;
  if (joints === 0 || executed.length !== records.length || executed.length === 0) return undefined;
  const pace = reference.length > 1 ? (executed.length - 1) / (reference.length - 1) : 0;
  let squares = 0;
  reference.forEach((wanted, k) => {
    const before = Math.floor(k * pace);
    const share = k * pace - before;
    const [low = [], high = low] = [executed[before], executed[before + 1]];
    wanted.forEach((target, j) => {
      squares += ((low[j] ?? 0) * (1 - share) + (high[j] ?? 0) * share - target) ** 2;
    });
  });
  const n = reference.length * joints;
  return {
    value: Math.sqrt(squares / n),
    formula: "RMSE = √(sum of squared deviations / (|R| × joints))",
    substituted: `√(${put(squares)} / (${put(reference.length)} × ${put(joints)}))`,
    terms: [
      plain("sum of squares", squares),
      plain("|R|", reference.length),
      plain("joints", joints),
    ],
  };
};

export const MOTION: Readonly<Record<string, Explain>> = {
  trajectory_similarity: trajectorySimilarity,
  ee_frechet: eeFrechet,
  joint_rmse: jointRmse,
};
