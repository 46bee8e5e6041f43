import type { NumberSteps } from "../../config/mapping.js";
import { StopRunError } from "../../core/errors.js";
import { convertRotation, ROTATION_SIZES } from "./rotation.js";

/** Applies a mapping's steps to numbers, in the order of its keys. `what` names the numbers in errors. */
export function mapNumbers(values: readonly number[], steps: NumberSteps, what: string): number[] {
  let numbers = steps.take ? taken(values, steps.take, what) : [...values];
  if (steps.rotation) numbers = rotated(numbers, steps.rotation, what);
  return repeated(
    numbers.map((n) => mapNumber(n, steps)),
    steps.repeat,
  );
}

function mapNumber(n: number, { scale, range, clip, switch: two }: NumberSteps): number {
  let out = scale === undefined ? n : n * scale;
  if (range) {
    const [from, to] = [range.from, range.to];
    out = to[0] + ((out - from[0]) / (from[1] - from[0])) * (to[1] - to[0]);
  }
  if (clip) out = Math.min(clip[1], Math.max(clip[0], out));
  if (two) out = out > two.at ? two.above : two.below;
  return out;
}

function taken(
  values: readonly number[],
  [first, end]: readonly [number, number],
  what: string,
): number[] {
  if (end <= values.length) return values.slice(first, end);
  throw new StopRunError(
    "bad_mapping",
    `the mapping takes numbers ${first} to ${end - 1} of ${what}, which has ${values.length}`,
    { hint: "write take: [first, end], counted from 0, without the end" },
  );
}

function rotated(
  values: readonly number[],
  { from, to }: NonNullable<NumberSteps["rotation"]>,
  what: string,
): number[] {
  if (values.length === ROTATION_SIZES[from]) return convertRotation(values, from, to);
  throw new StopRunError(
    "bad_mapping",
    `the mapping reads ${values.length} numbers of ${what} as ${from}, which has ${ROTATION_SIZES[from]}`,
    { hint: "select the rotation's numbers with `take`" },
  );
}

function repeated(numbers: number[], times = 1): number[] {
  return times === 1 ? numbers : Array.from({ length: times }, () => numbers).flat();
}
