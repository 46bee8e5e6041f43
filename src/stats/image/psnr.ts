import { checkSameSize } from "./same-size.js";

/**
 * Peak signal-to-noise ratio of two 8-bit images, in decibels, over all pixels and channels.
 *
 * Formula: 10 log10(255² / MSE), where MSE is the mean squared difference of the values.
 * Range: 0 (black against white) to infinity (equal images). A difference of one step everywhere gives 48.13.
 */
export function psnr(a: Uint8Array, b: Uint8Array): number {
  checkSameSize(a, b);
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    sum += difference * difference;
  }
  return 10 * Math.log10((255 * 255 * a.length) / sum);
}
