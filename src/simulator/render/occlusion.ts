import type { View } from "./camera.js";
import type { PlacedChunk } from "./part.js";
import type { Visibility } from "./visibility.js";

/**
 * Rows at this interval are tested first, then those between. Visible boxes mostly show in many rows, so this
 * finds a visible pixel sooner.
 */
const ROW_STEP = 8;

/** Testing more pixels than this per triangle would cost more than drawing the chunk. */
const PIXELS_PER_TRIANGLE = 250;

/**
 * Whether a chunk's box is entirely occluded: every pixel that it could cover shows something nearer than its
 * nearest corner. The test costs less than drawing, and in an apartment most chunks are behind a wall.
 */
export function isHidden({ box, chunk }: PlacedChunk, view: View, visibility: Visibility): boolean {
  const { right, up, ahead, position, focalPx, centreX, centreY } = view;
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let nearest = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (let corner = 0; corner < 8; corner++) {
    const x = (box[corner & 1 ? 3 : 0] as number) - position[0];
    const y = (box[corner & 2 ? 4 : 1] as number) - position[1];
    const z = (box[corner & 4 ? 5 : 2] as number) - position[2];
    const d = ahead[0] * x + ahead[1] * y + ahead[2] * z;
    if (!(d >= view.nearM)) return false;
    const scale = focalPx / d;
    const px = centreX + (right[0] * x + right[1] * y + right[2] * z) * scale;
    const py = centreY - (up[0] * x + up[1] * y + up[2] * z) * scale;
    if (px < left) left = px;
    if (px > end) end = px;
    if (py < top) top = py;
    if (py > bottom) bottom = py;
    if (d < nearest) nearest = d;
  }
  const { width, height, inverseDepth } = visibility;
  const fromX = Math.max(0, Math.floor(left) - 1);
  const toX = Math.min(width, Math.ceil(end) + 1);
  const fromY = Math.max(0, Math.floor(top) - 1);
  const toY = Math.min(height, Math.ceil(bottom) + 1);
  const budget = PIXELS_PER_TRIANGLE * (chunk.indices.length / 3);
  if ((toX - fromX) * (toY - fromY) > budget) return false;
  // The tolerance covers rounding.
  const w = 1.000001 / nearest;
  for (let first = fromY; first < fromY + ROW_STEP; first++) {
    for (let y = first; y < toY; y += ROW_STEP) {
      const stop = y * width + toX;
      for (let p = y * width + fromX; p < stop; p++) {
        if ((inverseDepth[p] as number) < w) return false;
      }
    }
  }
  return true;
}
