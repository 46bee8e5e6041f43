import { z } from "zod";
import type { FixtureAspect, Need, ObjectAspect } from "./needs.js";

/** The name of an object, a fixture or a joint of the episode's world. */
export const thing = z.string().min(1);
export const metres = z.number().nonnegative();
export const share = z.number().min(0).max(1);

/** Parameters that name either an object or a fixture. */
export type Handled = { readonly object: string } | { readonly fixture: string };

/** Schema of a predicate about an object or a fixture, with further parameters. */
export function handled<S extends z.ZodRawShape>(shape: S) {
  return z.union([
    z.strictObject({ object: thing, ...shape }),
    z.strictObject({ fixture: thing, ...shape }),
  ]);
}

/** Two objects that a predicate compares. */
export const pair = z.strictObject({ object: thing, base: thing });

export function areTwo({ object, base }: z.output<typeof pair>): boolean {
  return object !== base;
}

export const NOT_TWO = { path: ["base"], message: "must be another object than `object`" };

export function handledNeed(
  asked: Handled,
  objectAspect: ObjectAspect,
  fixtureAspect: FixtureAspect,
): Need {
  return "object" in asked
    ? { object: asked.object, aspect: objectAspect }
    : { fixture: asked.fixture, aspect: fixtureAspect };
}
