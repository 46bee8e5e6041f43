import { z } from "zod";
import type { Vec3 } from "../math/vec3.js";

/**
 * Schemas of lists of numbers. Datasets are made of them, millions long; zod's own arrays look at each
 * number through a schema and copy the list. These run one plain loop and keep the list as it is.
 */

interface Bad {
  readonly path: number[];
  readonly problem: string;
}

/** The first thing that is wrong, and where in the value. */
type Find = (value: unknown) => Bad | undefined;

function schemaOf<T>(find: Find) {
  return z.custom<T>().check((context) => {
    const bad = find(context.value);
    if (!bad) return;
    let input: unknown = context.value;
    for (const step of bad.path) input = (input as readonly unknown[])[step];
    context.issues.push({ code: "custom", message: bad.problem, path: bad.path, input });
  });
}

const finiteNumber: Find = (value) =>
  typeof value === "number" && Number.isFinite(value)
    ? undefined
    : { path: [], problem: "expected a finite number" };

function listOf(find: Find, what: string): Find {
  return (value) => {
    if (!Array.isArray(value)) return { path: [], problem: `expected ${what}` };
    for (let i = 0; i < value.length; i++) {
      const bad = find(value[i]);
      if (bad) return { ...bad, path: [i, ...bad.path] };
    }
    return undefined;
  };
}

function tupleOf(length: number, what: string): Find {
  const numbers = listOf(finiteNumber, what);
  return (value) =>
    Array.isArray(value) && value.length !== length
      ? { path: [], problem: `expected ${what}, found ${value.length}` }
      : numbers(value);
}

const isVec3 = tupleOf(3, "three numbers [x, y, z]");

export const vec3Schema = schemaOf<Vec3>(isVec3);
export const vec3ListSchema = schemaOf<readonly Vec3[]>(listOf(isVec3, "a list of points"));
export const numberListSchema = schemaOf<readonly number[]>(
  listOf(finiteNumber, "a list of numbers"),
);
export const numberRowsSchema = schemaOf<readonly (readonly number[])[]>(
  listOf(listOf(finiteNumber, "a list of numbers"), "a list of lists of numbers"),
);

/** [x, y, z, w], of length 1 within what single precision leaves of it. */
export const quatXyzwSchema = schemaOf<readonly [number, number, number, number]>((value) => {
  const bad = tupleOf(4, "a rotation of four numbers, a quaternion [x, y, z, w]")(value);
  if (bad) return bad;
  const norm = Math.hypot(...(value as readonly number[]));
  if (Math.abs(norm - 1) < 1e-2) return undefined;
  return { path: [], problem: "a rotation quaternion [x, y, z, w] has length 1" };
});
