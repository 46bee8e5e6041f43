import { ConfigError, show } from "../core/errors.js";
import { logBeta, regularizedBeta } from "./special-functions.js";

/**
 * Distribution functions and quantiles of the normal and of Student's t distribution. Tail
 * probabilities keep their relative accuracy (about 1e-13), so a p-value of 1e-40 is as accurate as one
 * of 0.04.
 */

const SQRT_2PI = Math.sqrt(2 * Math.PI);

function normalDensity(x: number): number {
  return Math.exp(-0.5 * x * x) / SQRT_2PI;
}

/**
 * P(Z <= x), Z standard normal.
 *
 * Near the centre the all-positive series 1/2 + φ(x)(x + x³/3 + x⁵/(3·5) + ...); in the tails Laplace's
 * continued fraction φ(x) / (x + 1/(x + 2/(x + ...))). Both: Marsaglia, "Evaluating the normal
 * distribution", J. Stat. Software 11 (2004).
 */
export function normalCdf(x: number): number {
  if (x > 2.5) return 1 - upperTail(x);
  if (x < -2.5) return upperTail(-x);
  let term = x;
  let sum = x;
  for (let k = 3; Math.abs(term) > Number.EPSILON * Math.abs(sum); k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return 0.5 + normalDensity(x) * sum;
}

/** P(Z > x) for x > 2.5, where 100 levels of the fraction are more than double precision needs. */
function upperTail(x: number): number {
  if (x === Number.POSITIVE_INFINITY) return 0;
  let fraction = x;
  for (let k = 100; k >= 1; k--) fraction = x + k / fraction;
  return normalDensity(x) / fraction;
}

/**
 * The x with P(Z <= x) = p; ∓infinity at p = 0 and 1.
 *
 * Starts from Abramowitz and Stegun 26.2.23 (error at most 4.5e-4), then applies Halley's cubic iteration
 * to `normalCdf`, in the lower tail so that small p stay exact.
 */
export function normalQuantile(p: number): number {
  checkProbability(p);
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 0.5) return 0;
  const r = Math.sqrt(-2 * Math.log(p));
  let x =
    (2.515517 + r * (0.802853 + r * 0.010328)) /
      (1 + r * (1.432788 + r * (0.189269 + r * 0.001308))) -
    r;
  for (let round = 0; round < 3; round++) {
    const step = (normalCdf(x) - p) / normalDensity(x);
    x -= step / (1 + 0.5 * x * step);
  }
  return x;
}

/**
 * P(T <= t) with `df` > 0 degrees of freedom (which may be fractional), by the incomplete beta function:
 * P(|T| > |t|) = I_x(df/2, 1/2), x = df/(df + t²). DLMF 8.17, Abramowitz and Stegun 26.7.1.
 */
export function studentTCdf(t: number, df: number): number {
  const tail = 0.5 * studentTTwoSided(t, df);
  return t > 0 ? 1 - tail : tail;
}

/** P(|T| >= |t|): the two-sided p-value. */
export function studentTTwoSided(t: number, df: number): number {
  if (!(df > 0 && Number.isFinite(df))) {
    throw new ConfigError("invalid_df", `degrees of freedom are ${show(df)}`, {
      hint: "give a finite number above 0; a paired t test of n pairs has n - 1",
    });
  }
  const square = t * t;
  if (square === Number.POSITIVE_INFINITY) return 0;
  return regularizedBeta(df / 2, 0.5, df / (df + square), square / (df + square));
}

/**
 * The t with P(T <= t) = p; ∓infinity at p = 0 and 1.
 *
 * Newton's method in the lower tail, where the distribution function is convex, starting from the normal
 * quantile. Student's tails are heavier, so the start lies right of the root, and every step moves left
 * without passing it: no bracket is needed.
 */
export function studentTQuantile(p: number, df: number): number {
  checkProbability(p);
  if (p > 0.5) return -studentTQuantile(1 - p, df);
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 0.5) return 0;
  const logScale = logBeta(df / 2, 0.5) + 0.5 * Math.log(df);
  let t = normalQuantile(p);
  for (;;) {
    const density = Math.exp(-logScale - 0.5 * (df + 1) * Math.log1p((t * t) / df));
    const next = t - (studentTCdf(t, df) - p) / density;
    // At the root, rounding makes a step zero or positive.
    if (!(next < t)) return t;
    t = next;
  }
}

function checkProbability(p: number): void {
  if (!(p >= 0 && p <= 1)) {
    throw new ConfigError("invalid_probability", `probability is ${show(p)}`, {
      hint: "give a number from 0 to 1",
    });
  }
}
