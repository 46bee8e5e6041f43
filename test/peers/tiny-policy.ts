import { createHash } from "node:crypto";
import { NdArray } from "../../src/api/codec/ndarray.js";

/** The actions of tiny_policy.py for the same observation: a hash of all its bytes. */
export function tinyActions(
  observation: Readonly<Record<string, unknown>>,
  horizon: number,
  size: number,
): number[][] {
  const seed = digest(observation);
  const blocks = Array.from({ length: Math.floor((horizon * size) / 32) + 1 }, (_, i) =>
    createHash("sha256").update(seed).update(Uint8Array.of(i)).digest(),
  );
  const noise = Buffer.concat(blocks);
  return Array.from({ length: horizon }, (_, row) =>
    Array.from({ length: size }, (_, i) => ((noise[row * size + i] ?? 0) - 128) / 1024),
  );
}

function digest(observation: Readonly<Record<string, unknown>>): Buffer {
  const whole = createHash("sha256");
  const entries = flat(observation).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, value] of entries) {
    whole.update(key);
    if (value instanceof NdArray) {
      // Formatted like a Python list.
      whole.update(`${value.dtype}[${value.shape.join(", ")}]`).update(value.bytes());
    } else {
      whole.update(typeof value === "string" ? value : JSON.stringify(value));
    }
  }
  return whole.digest();
}

function flat(map: Readonly<Record<string, unknown>>, prefix = ""): [string, unknown][] {
  return Object.entries(map).flatMap(([key, value]): [string, unknown][] => {
    const name = prefix + key;
    const isMap = typeof value === "object" && value !== null && !(value instanceof NdArray);
    return isMap ? flat({ ...value }, `${name}.`) : [[name, value]];
  });
}
