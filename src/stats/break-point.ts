import type { Interval } from "./interval.js";
import { meanInterval } from "./mean-interval.js";

/** The paired successes, 0 to 1, at one strength of a perturbation. */
export interface StrengthSample {
  /** Strength; it may fall from level to level, like a JPEG's quality. */
  readonly value: number;
  /** Unperturbed and perturbed success of each episode, in the same order. */
  readonly baseline: readonly number[];
  readonly perturbed: readonly number[];
  readonly scenes: readonly string[];
}

export interface FoundBreakPoint {
  /** Undefined if success stays above half at every strength. */
  readonly value: number | undefined;
  /** The same place as an index into the strengths, 0 for unperturbed. */
  readonly level: number | undefined;
  /** Ends of the 95 % interval, the nearer one to the unperturbed value first; undefined where there is none. */
  readonly near: number | undefined;
  readonly far: number | undefined;
}

/**
 * Where success falls to half of its unperturbed value. With y0 the unperturbed and y the perturbed success of an
 * episode, the contrast d = y - y0/2 has a positive mean while more than half of the success is left. The break point
 * is where the mean contrast, interpolated linearly between the strengths, first reaches 0; its interval ends where
 * the lower and the upper 95 % limits of the mean contrast do. This inverts a test at each strength, as Fieller's
 * method does for a ratio: no division by an uncertain baseline.
 *
 * Edge cases: undefined if there is no episode or the baseline never succeeds. A lower limit below 0 already without
 * perturbation (few episodes) puts the near end at the unperturbed value.
 * Trap: success that recovers at a stronger level has several crossings; the first one counts.
 * Source: Fieller, Journal of the Royal Statistical Society B 16 (1954).
 */
export function breakPoint(
  neutral: number,
  samples: readonly StrengthSample[],
): FoundBreakPoint | undefined {
  const [first] = samples;
  if (!first || first.baseline.every((value) => value === 0)) return undefined;
  const start = curveAt(neutral, first.baseline, first.baseline, first.scenes);
  const curve = [
    start,
    ...samples.map(({ value, baseline, perturbed, scenes }) =>
      curveAt(value, baseline, perturbed, scenes),
    ),
  ];
  const at = (line: (point: CurvePoint) => number | undefined) => crossing(curve, line);
  const middle = at(({ mean }) => mean);
  return {
    value: middle?.value,
    level: middle?.index,
    near: at(({ limits }) => limits?.[0])?.value,
    far: at(({ limits }) => limits?.[1])?.value,
  };
}

interface CurvePoint {
  readonly value: number;
  readonly mean: number;
  readonly limits: Interval | null;
}

function curveAt(
  value: number,
  baseline: readonly number[],
  perturbed: readonly number[],
  scenes: readonly string[],
): CurvePoint {
  const contrasts = perturbed.map((y, i) => y - (baseline[i] ?? 0) / 2);
  const mean = contrasts.reduce((sum, d) => sum + d, 0) / contrasts.length;
  const { interval } = meanInterval(contrasts, {
    kind: "mean",
    clusters: scenes,
    range: [-0.5, 1],
  });
  return { value, mean, limits: interval };
}

/** The first place where a line through the points reaches 0 from above. */
function crossing(
  curve: readonly CurvePoint[],
  line: (point: CurvePoint) => number | undefined,
): { readonly value: number; readonly index: number } | undefined {
  let before: { readonly value: number; readonly y: number } | undefined;
  for (const [index, point] of curve.entries()) {
    const y = line(point);
    if (y === undefined) return undefined;
    if (y <= 0) {
      const share = before ? before.y / (before.y - y) : 1;
      const from = before ?? point;
      return {
        value: from.value + share * (point.value - from.value),
        index: before ? index - 1 + share : index,
      };
    }
    before = { value: point.value, y };
  }
  return undefined;
}
