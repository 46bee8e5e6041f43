import { z } from "zod";
import type { Vec3 } from "../math/vec3.js";

/**
 * Schemas of lists of numbers. Datasets hold millions of numbers. Zod's arrays check each one with a schema
 * and copy the list; these check with a plain loop and do not copy.
 */

interface Bad {
  readonly path: number[];
  readonly problem: string;
}

/** Finds the first invalid element and its path in the value. */
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

const NOT_A_NUMBER = "expected a finite number";

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function numbers(what: string, length?: number): Find {
  return (value) => {
    if (!Array.isArray(value)) return { path: [], problem: `expected ${what}` };
    if (length !== undefined && value.length !== length) {
      return { path: [], problem: `expected ${what}, found ${value.length}` };
    }
    for (let i = 0; i < value.length; i++) {
      if (!isNumber(value[i])) return { path: [i], problem: NOT_A_NUMBER };
    }
    return undefined;
  };
}

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

const vec3 = numbers("three numbers [x, y, z]", 3);
const quaternion = numbers("a rotation of four numbers, a quaternion [x, y, z, w]", 4);
const list = numbers("a list of numbers");

export const vec3Schema = schemaOf<Vec3>(vec3);
export const vec3ListSchema = schemaOf<readonly Vec3[]>(listOf(vec3, "a list of points"));
export const numberListSchema = schemaOf<readonly number[]>(list);
export const numberRowsSchema = schemaOf<readonly (readonly number[])[]>(
  listOf(list, "a list of lists of numbers"),
);

/** [x, y, z, w] of length 1, with a tolerance of 1e-2 for data in low precision. */
export const quatXyzwSchema = schemaOf<readonly [number, number, number, number]>((value) => {
  const bad = quaternion(value);
  if (bad) return bad;
  const norm = Math.hypot(...(value as readonly number[]));
  if (Math.abs(norm - 1) < 1e-2) return undefined;
  return { path: [], problem: "a rotation quaternion [x, y, z, w] must have length 1" };
});
