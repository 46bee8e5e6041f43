import { referencePoints } from "../../../core/episode/base.js";
import { dtwPoints } from "../../../core/math/dtw.js";
import { distance3 } from "../../../core/math/vec3.js";
import { type Explain, metres, plain, put, type WhyInput } from "./input.js";
import { arrival, lengthOf, positions, withPaths } from "./path.js";

/**
 * Metrics of how closely a path follows the reference. Geodesic conventions are not explained, because they need the
 * scene.
 */

function pathsOf({ episode, records, rules }: WhyInput) {
  if (rules.ground !== "euclidean") return {};
  const reference = referencePoints(episode, rules.reference).map(({ position }) => position);
  const path = positions(records);
  return path ? { path, reference } : {};
}

const dtw = withPaths(pathsOf, ({ path, reference }) => {
  const value = dtwPoints(path, reference);
  return {
    value,
    formula: "DTW = least sum of distances between aligned points of P and R",
    substituted: `${put(path.length)} points of P, ${put(reference.length)} of R`,
    inWords: true,
    terms: [metres("DTW", value)],
  };
});

const ndtw = withPaths(pathsOf, ({ path, reference }, { rules }) => {
  const sum = dtwPoints(path, reference);
  const [n, r] = [reference.length, rules.successDistanceM];
  return {
    value: Math.exp(-sum / (n * r)),
    formula: "nDTW = exp(−DTW / (|R| × r))",
    substituted: `exp(−${put(sum)} / (${put(n)} × ${put(r)}))`,
    terms: [metres("DTW", sum), plain("|R|", n), metres("r", r)],
  };
});

const sdtw: Explain = (input) => {
  const close = ndtw(input);
  const s = arrival(input);
  if (!close || s === undefined) return undefined;
  return {
    value: s * close.value,
    formula: "sDTW = S × nDTW = S × exp(−DTW / (|R| × r))",
    substituted: `${s} × ${close.substituted}`,
    terms: [plain("S", s), ...close.terms],
  };
};

const cls = withPaths(pathsOf, ({ path, reference }, { rules }) => {
  const r = rules.successDistanceM;
  const nearness = reference.map((wanted) =>
    Math.exp(-path.reduce((least, p) => Math.min(least, distance3(wanted, p)), Infinity) / r),
  );
  const coverage = nearness.reduce((sum, value) => sum + value, 0) / reference.length;
  const [expected, travelled] = [coverage * lengthOf(reference), lengthOf(path)];
  if (expected === 0) return undefined;
  return {
    value: (coverage * expected) / (expected + Math.abs(expected - travelled)),
    formula: "CLS = PC × EL / (EL + |EL − p|), EL = PC × length of R",
    substituted: `${put(coverage)} × ${put(expected)} / (${put(expected)} + |${put(expected)} − ${put(travelled)}|)`,
    terms: [plain("PC", coverage), metres("EL", expected), metres("p", travelled)],
  };
});

export const FIDELITY: Readonly<Record<string, Explain>> = { dtw, ndtw, sdtw, cls };
