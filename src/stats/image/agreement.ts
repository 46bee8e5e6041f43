import { quantileSorted } from "../quantile.js";
import { checkSameSize } from "./same-size.js";

/** The share of pixels, 0 to 1, at which two segmentations have the same label. */
export function labelAgreement(a: Int32Array, b: Int32Array): number {
  checkSameSize(a, b);
  return a.reduce((same, label, i) => same + (label === b[i] ? 1 : 0), 0) / a.length;
}

export interface DepthError {
  readonly medianM: number;
  /** 99th percentile. */
  readonly p99M: number;
  /** Pixels that were compared. */
  readonly pixels: number;
}

/**
 * Absolute differences of two depth images at the pixels that `compared` selects. Select those where both images show
 * the same surface: at its outline a shift by a fraction of a pixel would otherwise count with the distance to the
 * background. NaN if none is selected.
 */
export function depthError(
  a: Float32Array,
  b: Float32Array,
  compared: (pixel: number) => boolean,
): DepthError {
  checkSameSize(a, b);
  const errors: number[] = [];
  for (let i = 0; i < a.length; i++) {
    if (compared(i)) errors.push(Math.abs((a[i] as number) - (b[i] as number)));
  }
  const sorted = Float64Array.from(errors).sort();
  const at = (q: number) => (sorted.length > 0 ? quantileSorted(sorted, q) : Number.NaN);
  return { medianM: at(0.5), p99M: at(0.99), pixels: sorted.length };
}
