import type { View } from "./camera.js";
import type { PlacedChunk } from "./part.js";

/** The chunks that may be visible, nearest first, so that chunks drawn early hide later ones. */
export function visibleChunks(chunks: readonly PlacedChunk[], view: View): PlacedChunk[] {
  const planes = frustum(view);
  const seen: { chunk: PlacedChunk; distance2: number; order: number }[] = [];
  for (const chunk of chunks) {
    if (isInside(chunk, planes)) {
      seen.push({ chunk, distance2: distance2(chunk, view), order: seen.length });
    }
  }
  seen.sort((a, b) => a.distance2 - b.distance2 || a.order - b.order);
  return seen.map(({ chunk }) => chunk);
}

/** Inward planes a x + b y + c z + d >= 0 in the world, four numbers each. */
function frustum(view: View): Float64Array {
  const { right, up, ahead, position, focalPx, centreX, centreY, nearM, farM } = view;
  const slopeX = centreX / focalPx;
  const slopeY = centreY / focalPx;
  const planes: number[] = [];
  const add = (x: number, y: number, d: number, offset: number) => {
    const normal = [0, 1, 2].map(
      (k) => x * (right[k] as number) + y * (up[k] as number) + d * (ahead[k] as number),
    ) as [number, number, number];
    const along = normal[0] * position[0] + normal[1] * position[1] + normal[2] * position[2];
    planes.push(...normal, offset - along);
  };
  add(0, 0, 1, -nearM);
  add(1, 0, slopeX, 0);
  add(-1, 0, slopeX, 0);
  add(0, 1, slopeY, 0);
  add(0, -1, slopeY, 0);
  if (Number.isFinite(farM)) add(0, 0, -1, farM);
  return Float64Array.from(planes);
}

function isInside({ box }: PlacedChunk, planes: Float64Array): boolean {
  for (let i = 0; i < planes.length; i += 4) {
    const a = planes[i] as number;
    const b = planes[i + 1] as number;
    const c = planes[i + 2] as number;
    // The corner farthest inward.
    const reach =
      a * (box[a > 0 ? 3 : 0] as number) +
      b * (box[b > 0 ? 4 : 1] as number) +
      c * (box[c > 0 ? 5 : 2] as number) +
      (planes[i + 3] as number);
    // The tolerance covers rounding: a triangle that barely enters the view must be kept.
    if (reach < -1e-6) return false;
  }
  return true;
}

function distance2({ box }: PlacedChunk, { position }: View): number {
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    const p = position[axis] as number;
    const gap = Math.max((box[axis] as number) - p, 0, p - (box[axis + 3] as number));
    sum += gap * gap;
  }
  return sum;
}
