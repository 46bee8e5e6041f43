import { DataError } from "../../core/errors.js";
import type {
  ManipulationView,
  ViewFixture,
  ViewObject,
} from "../../core/interfaces/manipulation-view.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { isRecord } from "../../core/record.js";

/** Goals of an episode. They are read again on every use, because objects move. */

export function objectNamed(view: ManipulationView, name: string): ViewObject {
  const found = view.objects().find((object) => object.name === name);
  if (found) return found;
  throw new DataError(
    "no_such_object",
    `the goals name the object "${name}", which does not exist`,
  );
}

export function fixtureNamed(view: ManipulationView, name: string): ViewFixture {
  const found = view.fixtures().find((fixture) => fixture.name === name);
  if (found) return found;
  throw new DataError(
    "no_such_fixture",
    `the goals name the fixture "${name}", which does not exist`,
  );
}

/** Reads `goals.<key>.name`. */
export function nameIn(view: ManipulationView, key: string): string {
  const part = view.goals[key];
  if (isRecord(part) && typeof part.name === "string") return part.name;
  throw new DataError("bad_goals", `the goals have no ${key} with a name`);
}

/** Centre of the target object in its goal pose. */
export function targetPosition(view: ManipulationView, heightM: number): Vec3 {
  const position = findTarget(view, heightM);
  if (position) return position;
  throw new DataError(
    "bad_goals",
    "the goals have no target_location with a position or an object",
  );
}

/** The same, at a position or on another object; undefined if the object only has to be lifted. */
export function findTarget(view: ManipulationView, heightM: number): Vec3 | undefined {
  const location = view.goals.target_location;
  if (!isRecord(location)) return undefined;
  const base = location.object ?? location.name;
  if (typeof base === "string") return onTopOf(objectNamed(view, base), heightM);
  const [x, y, z] = Array.isArray(location.position) ? location.position : [];
  const isPoint = typeof x === "number" && typeof y === "number" && typeof z === "number";
  return isPoint ? [x, y, z] : undefined;
}

/** The object on which the target should stand, if the goals name one. */
export function baseName(view: ManipulationView): string | undefined {
  const location = view.goals.target_location;
  if (!isRecord(location)) return undefined;
  const base = location.object ?? location.name;
  return typeof base === "string" ? base : undefined;
}

function onTopOf({ position: [x, y, z], sizeM }: ViewObject, heightM: number): Vec3 {
  return [x, y, z + sizeM[2] / 2 + heightM / 2];
}

/** Reads a number from `success_criteria`. */
export function criterion(view: ManipulationView, key: string, otherwise: number): number {
  const criteria = view.goals.success_criteria;
  const value = isRecord(criteria) ? criteria[key] : undefined;
  return typeof value === "number" ? value : otherwise;
}
